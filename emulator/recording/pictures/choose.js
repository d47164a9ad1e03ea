"use strict";
// Which picture explains what, and where it opens.

/// By the kind of a finding in a kernel or in host code (calls), and by the counters in a concept check's formula: the first expression that
/// fits. JSON, because scripts/pages/gallery.py reads it, too.
Warp.rules = {
  "findings": [
    ["^(race|warp-synchronous|fence-scope)", "timeline"],
    ["^(oob-shared|unwritten-shared)", "memory"],
    ["^(oob-global|null-pointer|use-after-free|unwritten-global)", "elements"],
    ["^(barrier|deadlock|sync|shuffle)", "divergence"]
  ],
  "calls": [
    ["^(stream-race|host-access-before-sync)", "streams"]
  ],
  "counters": [
    ["(overlap|timeline)_us|(copies|bytes)_(to_|on_|between_)", "streams"],
    ["conflicts|shared_(load|store)_wavefronts", "banks"],
    ["divergent_branches|thread_instructions", "divergence"],
    ["warp_barriers", "timeline"],
    ["global_(load|store)", "access"],
    ["global_atomic_lanes", "elements"],
    ["shared_(load|store|atomic)", "banks"]
  ]
};

Warp.ruleFor = (rules, text) => rules.find(([words]) => new RegExp(words).test(text))?.[1];
Warp.pictureFor = (finding) =>
  finding.race ? "timeline" : Warp.ruleFor(Warp.rules.findings, finding.kind) ?? "timeline";

/// What an access wastes: sectors count twice, as they come from farther away.
Warp.wasteOf = (step) => (step.passes - step.ideal) * (step.shared ? 1 : 2);

/// The access that wastes most, of those that fit; undefined if none wastes anything.
Warp.costliest = (model, fits) => {
  let best;
  for (const step of model.steps) {
    if (step.kind !== "access" || step.passes <= step.ideal || !fits(step)) continue;
    if (!best || Warp.wasteOf(step) > Warp.wasteOf(best)) best = step;
  }
  return best;
};

/// The picture that shows a step.
Warp.pictureOfStep = (step) => {
  switch (step?.kind) {
    case "access": return step.shared ? step.passes > step.ideal ? "banks" : "memory" : "access";
    case "fault": return step.shared ? "memory" : "elements";
    case "diverge": return "divergence";
    default: return "timeline";
  }
};

/// Where the pictures of a block open: { finding }, { picture, index } or { picture, call }.
/// @param options  { finding: number, kind: of a finding, picture: id, step: number, end: true for the last step, line: number,
/// text: part of a source line, counters: the formula of a concept check }; all may be left out
/// @returns undefined if the block has nothing of this
Warp.opening = (model, options) => {
  const { findings } = model.block;
  if (options.finding !== undefined) return findings[options.finding] && { finding: findings[options.finding] };
  if (options.kind) {
    const finding = findings.find((one) => one.kind === options.kind);
    return finding && { finding };
  }
  if (options.step !== undefined) return { picture: options.picture, index: options.step };
  if (options.end) {
    const index = model.steps.length - 1;
    return { picture: Warp.pictureOfStep(model.steps[index]), index: Math.max(0, index) };
  }
  const onLine = (step) => (options.line === undefined || model.line(step) === options.line) &&
    (options.text === undefined || model.sourceOf(step).includes(options.text));
  const picture = options.picture ?? (options.counters && Warp.ruleFor(Warp.rules.counters, options.counters));
  const way = options.counters && /_load/.test(options.counters) !== /_store/.test(options.counters)
    ? /_load/.test(options.counters) ? "load" : "store" : null;
  if (picture === "streams") {
    const call = Warp.callFor(model, options);
    return call === undefined ? undefined : { picture, call };
  }
  const shown = picture && picture !== "divergence" && new Set(Warp.pictures.find((one) => one.id === picture)?.stops(model, {}));
  const fits = (step) => onLine(step) && (!shown || shown.has(step.index)) &&
    (!way || step.kind !== "access" || step.type === way);
  const first = (kind) => model.steps.find((step) => step.kind === kind && fits(step));
  const named = options.line !== undefined || options.text !== undefined;
  const step = picture === "divergence" ? first("diverge") ?? model.steps.find(fits)
    : picture === "timeline" ? first("arrive") ?? model.steps.find(fits)
    : first("fault") ?? Warp.costliest(model, fits) ??
      (named ? first("access") ?? first("diverge") ?? first("arrive") : undefined) ??
      (named || picture ? model.steps.find(fits) : undefined);
  if (!step && !named && !picture) {
    const streams = new Set(model.calls.filter((call) => call.kind !== 6).map((call) => call.stream));
    return { picture: streams.size > 1 ? "streams" : "timeline" };
  }
  if (!step) return undefined;
  return { picture: picture ?? Warp.pictureOfStep(step), index: step.index };
};
