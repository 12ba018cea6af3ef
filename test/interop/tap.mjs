// A reporter for node's test runner. The runner's own TAP reporter explains a failure in YAML that
// Perl's TAP::Harness cannot read, and every test after it would be lost.
export default async function* tap(events) {
  let count = 0;
  for await (const { type, data } of events) {
    if (type === 'test:pass') {
      yield `ok ${++count} - ${data.name}\n`;
    } else if (type === 'test:fail') {
      const { error } = data.details;
      yield `not ok ${++count} - ${data.name}\n`;
      yield `${(error.cause ?? error).stack}\n`.replace(/^(?=.)/gm, '# ');
    }
  }
  yield `1..${count}\n`;
}
