require "pgulid/active_record"
