#!/usr/bin/env bash
# The settings of docs/editors.md in a real Neovim: test.sh <folder of warpgrade and warpsim>.
# nvim-dap is in no package of Debian, so an object that notes what is set takes its place; the
# adapter that the settings start is the real one. Exit code 77: skipped.
set -euo pipefail
PATH=$(cd "$1" && pwd):$PATH
export PATH XDG_STATE_HOME=/dev/null
command -v nvim >/dev/null || {
  echo 'skipped: no nvim; scripts/setup installs it'
  exit 77
}
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The page's blocks of Lua, in their order.
awk -v folder="$folder" '/^```lua$/ {inside = 1; ++n; next} /^```$/ {inside = 0}
  inside {print > (folder "/" n ".lua")}' docs/editors.md
[[ -s $folder/1.lua && -s $folder/2.lua ]] || {
  echo 'docs/editors.md has no settings any more'
  exit 1
}
sed 's/rest < n; ++rest/rest <= n; ++rest/' reference/vecadd/solution.cu >"$folder/vecadd.cu"
grep -q 'rest <= n' "$folder/vecadd.cu"

cat >"$folder/test.lua" <<'LUA'
local function check(condition, what)
  if not condition then
    io.stderr:write('failed: ' .. what .. '\n')
    vim.cmd('cquit 1')
  end
end
local dap = { adapters = {}, configurations = {} }
package.loaded.dap = dap
dofile('1.lua')
local adapter
local config = dap.configurations.cuda[1]
vim.cmd('edit vecadd.cu')
dap.adapters.warpsim(function(made) adapter = made end,
  { lab = config.lab(), work = vim.fn.expand('%:p'), case = 'a hundred' })
check(adapter.command == 'warpgrade', 'a lab is debugged by warpgrade')
local plain
dap.adapters.warpsim(function(made) plain = made end, { program = 'a.out' })
check(plain.command == 'warpsim' and plain.args[1] == '--dap', 'a program is debugged by warpsim')

-- A session with the adapter, over Neovim's own channels.
local received = ''
local function send(job, message)
  local text = vim.fn.json_encode(message)
  vim.fn.chansend(job, 'Content-Length: ' .. #text .. '\r\n\r\n' .. text)
end
local job = vim.fn.jobstart(vim.list_extend({ adapter.command }, adapter.args),
  { on_stdout = function(_, data) received = received .. table.concat(data, '\n') end })
check(job > 0, 'the adapter starts')
local function wait(text)
  check(vim.wait(60000, function() return received:find(text, 1, true) ~= nil end, 20),
    'no ' .. text .. ' in ' .. received)
end
send(job, { seq = 1, type = 'request', command = 'initialize', arguments = { adapterID = 'warpsim' } })
wait('"supportsStepBack":true')
send(job, { seq = 2, type = 'request', command = 'launch', arguments = vim.empty_dict() })
wait('"initialized"')
send(job, { seq = 3, type = 'request', command = 'configurationDone' })
wait('"reason":"exception"')
send(job, { seq = 4, type = 'request', command = 'stackTrace', arguments = { threadId = 1 } })
wait('vecadd.cu"')
send(job, { seq = 5, type = 'request', command = 'disconnect' })
check(vim.fn.jobwait({ job }, 20000)[1] == 0, 'the adapter ends')

dofile('2.lua')
vim.cmd('set filetype=cuda')
vim.cmd('silent make!')
local found = false
for _, item in ipairs(vim.fn.getqflist()) do
  if item.valid == 1 and item.lnum > 1 and vim.fn.bufname(item.bufnr) == 'vecadd.cu' and item.type == 'e' then
    found = true
  end
end
check(found, ':make fills the quickfix list: ' .. vim.inspect(vim.fn.getqflist()))
vim.cmd('quitall!')
LUA
cd "$folder"
HOME=$folder timeout 200 nvim --headless --clean -S test.lua </dev/null
echo "settings of $root/docs/editors.md work"
