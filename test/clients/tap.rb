# Prints TAP: a line a test. And what the tests share.
NOON = Time.utc(2024, 5, 1, 12)
HOUR = 3600
MILLISECOND = 0.001r
# 12, 13 and 14 hours into that day
IDS = %w[01HWT0D7G004HMASW9NF6YY081 01HWT3V34004HMASW9NF6YY0G2 01HWT78YR004HMASW9NF6YY0R3].freeze
PAGES = Dir["#{ENV['PAGES']}/*.md"].map { |page| File.read(page) }.join
FILES = Dir.pwd
$stdout.sync = true
$count = 0

def equal(name, got, expected)
  $count += 1
  return puts "ok #{$count} - #{name}" if got == expected

  puts "not ok #{$count} - #{name}", "# got #{got.inspect}", "# expected #{expected.inspect}"
end

# The text has this message, and a page quotes it.
def quotes(message, text)
  equal "fails: #{message}", text.include?(message) ? message : text, message
  equal "as a page says", PAGES.include?(message), true
end

def fails(message)
  result = yield
rescue StandardError => e
  quotes message, e.message
else
  quotes message, "no error: #{result.inspect}"
end

# What restored.sh prints.
def restored(*commands)
  IO.popen(["bash", "#{FILES}/restored.sh", *commands], &:read)
end

def done
  puts "1..#{$count}"
end
