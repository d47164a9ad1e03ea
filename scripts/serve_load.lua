-- Requests of the students of a class, for wrk: serve_load starts it with one thread, and the arguments
-- "pages" or "submit", the file of sessions (name, cookie, body of a submission), the file of receipts, and
-- the greatest pause of a connection between two requests, in milliseconds.

local sessions = {}
local number = -1  -- wrk makes the first request to look at it, and does not send it
local answered = 0
local receipts, kind, pause, source

function init(arguments)
  kind = arguments[1]
  for line in io.lines(arguments[2]) do
    local name, cookie, body = line:match("^(%S+)\t(%S+)\t(.*)$")
    sessions[#sessions + 1] = { name = name, cookie = cookie, body = body }
  end
  receipts = io.open(arguments[3], "a")
  pause = tonumber(arguments[4])
  source = wrk.scheme .. "://" .. wrk.host .. ":" .. wrk.port
end

-- What a student does on the page of a lab, one after the other.
local steps = {
  function() return "GET", "/" end,
  function() return "GET", "/labs/vecadd" end,
  function() return "GET", "/labs/vecadd/files" end,
  function() return "GET", "/labs/vecadd/attempts" end,
  function(student) return "PUT", "/labs/vecadd/draft", student.body end,
  function(student) return "POST", "/labs/vecadd/checks", student.body end,
  function(student) return "PUT", "/labs/vecadd/draft", student.body end,
  function() return "GET", "/grades" end,
}

local function submit(student)
  return "POST", "/labs/predict/submissions", student.body
end

function request()
  local student = sessions[number % #sessions + 1]
  local step = steps[math.floor(number / #sessions) % #steps + 1]
  if kind == "submit" then
    -- Each student once; connections that are free after that open a page until all have an answer.
    step = number < #sessions and submit or steps[1]
  end
  number = number + 1
  local method, path, body = step(student)
  local headers = { Cookie = student.cookie, Origin = source }
  if body then headers["Content-Type"] = "application/json" end
  return wrk.format(method, path, headers, body)
end

function delay()
  return pause > 0 and math.random(0, pause) or 0
end

function response(status, headers, body)
  local receipt = body:match('"receipt":"(%d+)')
  if kind == "pages" or not receipt and status == 200 then return end
  answered = answered + 1
  receipts:write(status, "\t", receipt or "", "\n")
  receipts:flush()
  if kind == "submit" and answered >= #sessions then wrk.thread:stop() end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests": %d, "median_ms": %.1f, "p95_ms": %.1f, "p99_ms": %.1f, "max_ms": %.1f, ' ..
    '"seconds": %.1f, "broken": %d, "refused": %d}\n', summary.requests, latency:percentile(50) / 1000,
    latency:percentile(95) / 1000, latency:percentile(99) / 1000, latency.max / 1000, summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
