-- SPDX-FileCopyrightText: The Atrium authors
-- SPDX-License-Identifier: Apache-2.0
-- wrk sends the requests of a file, in an order of each thread's own. A line of the file is: method, a tab, path, a tab, body,
-- in which NEW stands for a number that no other request has and \r\n for the end of a line. HEADER_FILE has one header a line, "Name: value".
local requests, headers, thread_count, made = {}, {}, 0, 0
local run = os.getenv("RUN") or "0"
mine = 0  -- set from setup(), which reaches globals alone

for line in io.lines(os.getenv("REQUEST_FILE")) do
  local method, path, body = line:match("^(%S+)\t(%S+)\t(.*)$")
  requests[#requests + 1] = {method = method, path = path, body = (body:gsub("\\r\\n", "\r\n"))}
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

-- Only what must differ each time is put together each time: the measured server shares the machine with this script.
function request()
  local one = requests[math.random(#requests)]
  if one.text then
    return one.text
  end
  if not (one.path .. one.body):find("NEW", 1, true) then
    one.text = wrk.format(one.method, one.path, headers, #one.body > 0 and one.body or nil)
    return one.text
  end
  made = made + 1
  local number = run .. "-" .. mine .. "-" .. made
  local body = #one.body > 0 and one.body:gsub("NEW", number) or nil
  return wrk.format(one.method, (one.path:gsub("NEW", number)), headers, body)
end
