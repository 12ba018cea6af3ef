// Makes the server, which listens on a Unix socket only, known to pgjdbc, which speaks TCP only:
// prints the port of the loopback interface that leads there.
import net from 'node:net';

const path = `${process.env.PGHOST}/.s.PGSQL.${process.env.PGPORT ?? 5432}`;
const server = net.createServer(client => {
  const socket = net.connect(path);
  client.pipe(socket).pipe(client);
  for (const end of [client, socket]) end.on('error', () => { client.destroy(); socket.destroy(); });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
