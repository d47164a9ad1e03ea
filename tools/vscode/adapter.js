"use strict";
// What a launch configuration starts: a case of a lab, or a program.

/// @param config    a launch configuration of type "warpsim"
/// @param programs  {warpgrade, warpsim}: names or paths
/// @returns {command, args}
function adapterCommand(config, programs) {
  if (config.lab) {
    const args = ["debug", config.lab];
    if (config.work || config.case) args.push(config.work || `${config.lab}.cu`);
    if (config.case) args.push(config.case);
    return { command: programs.warpgrade, args };
  }
  const args = [];
  if (config.checks) args.push("--check", config.checks);
  if (config.card) args.push("--card", config.card);
  return { command: programs.warpsim, args: [...args, "--dap"] };
}

/// A case of the lab that the open file belongs to, for a session without a configuration.
function configurationFor(file, lab) {
  const name = file.replace(/^.*[\\/]/, "").replace(/\.(cu|hip|hip\.cpp)$/, "");
  return { type: "warpsim", request: "launch", name: `Debug a case of ${lab || name}`, lab: lab || name, work: file };
}

module.exports = { adapterCommand, configurationFor };
