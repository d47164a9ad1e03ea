// How fast the page of a recording is: PAGE is its file, CHROMIUM the browser. Prints when the first picture is
// visible after the page was asked for, and for each picture the time of a step and the frames per second while it
// is played as fast as frames come.
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/// Milliseconds until the frame after the first drawing.
async function firstPicture() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector(".warp-drawing > *")) window.seen = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(pathToFileURL(process.env.PAGE).href);
  await page.waitForFunction(() => window.seen);
  const seen = await page.evaluate(() => window.seen);
  await page.close();
  return seen;
}

const first = [];
for (let i = 0; i < 5; ++i) first.push(await firstPicture());
console.log(`first picture: ${median(first).toFixed(0)} ms (median of ${first.length})`);

const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(pathToFileURL(process.env.PAGE).href);
const size = await page.evaluate(() => {
  const { blocks } = Warp.read(document.getElementById("recording-data").textContent);
  const instructions = blocks[0].steps.reduce((sum, step) => sum + (step.kind === "arrive" ? 1 : step.count), 0);
  return { threads: blocks[0].threads, steps: blocks[0].steps.length, instructions };
});
console.log(`${size.threads} threads, ${size.instructions} instructions in ${size.steps} steps`);
for (const tab of await page.getByRole("tab").all()) {
  await tab.click();
  await page.getByRole("tabpanel").focus();
  const { steps, frames } = await page.evaluate(() => new Promise((resolve) => {
    const panel = document.querySelector("[role=tabpanel]");
    const steps = [];
    const frames = [];
    let last = 0;
    const tick = (now) => {
      if (last > 0) frames.push(now - last);
      last = now;
      const begin = performance.now();
      panel.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      steps.push(performance.now() - begin);
      if (steps.length < 150) requestAnimationFrame(tick);
      else resolve({ steps: steps.slice(10), frames: frames.slice(10) });
    };
    requestAnimationFrame(tick);
  }));
  const mean = frames.reduce((a, b) => a + b) / frames.length;
  console.log(`${(await tab.textContent()).padEnd(22)} ${median(steps).toFixed(1)} ms per step, ${(1000 / mean).toFixed(0)} frames per second`);
}
await browser.close();
