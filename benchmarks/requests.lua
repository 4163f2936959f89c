-- SPDX-FileCopyrightText: The Atrium authors
-- SPDX-License-Identifier: Apache-2.0
-- wrk sends the requests of a file, in an order of each thread's own. A line of the file is: method, a tab, path, a tab, body,
-- in which NEW stands for a number that no other request has and \r\n for the end of a line. HEADER_FILE has one header a line, "Name: value".
local requests, headers, thread_count, made = {}, {}, 0, 0
local run = os.getenv("RUN") or "0"
-- As long as a number is.
local PLACE = ("N"):rep(#run + 10)
mine = 0  -- set from setup(), which reaches globals alone

for line in io.lines(os.getenv("REQUEST_FILE")) do
  local method, path, body = line:match("^(%S+)\t(%S+)\t(.*)$")
  body = body:gsub("\\r\\n", "\r\n"):gsub("NEW", PLACE)
  requests[#requests + 1] = {method = method, path = path:gsub("NEW", PLACE), body = body}
end
for line in io.lines(os.getenv("HEADER_FILE")) do
  local name, value = line:match("^([^:]+): (.*)$")
  headers[name] = value
end

function setup(thread)
  thread_count = thread_count + 1
  thread:set("mine", thread_count)
end

function init()
  math.randomseed(mine * 7919 + tonumber(run))
end

-- All that can be put together beforehand is: the measured server shares the machine with this script. What never changes becomes a
-- string, the rest the parts between its numbers. Numbers have one length, and with them the bodies they stand in.
local function prepared(one)
  local text = wrk.format(one.method, one.path, headers, #one.body > 0 and one.body or nil)
  if not text:find(PLACE, 1, true) then
    return text
  end
  local parts = {}
  for part in (text .. PLACE):gmatch("(.-)" .. PLACE) do
    parts[#parts + 1] = part
  end
  return parts
end

function request()
  local at = math.random(#requests)
  if requests[at].method then
    requests[at] = prepared(requests[at])
  end
  local one = requests[at]
  if type(one) == "string" then
    return one
  end
  made = made + 1
  return table.concat(one, string.format("%s-%d-%07d", run, mine, made))
end
