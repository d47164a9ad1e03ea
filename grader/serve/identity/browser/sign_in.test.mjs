// Signing in to a class by a real provider of OpenID Connect, `oidc-provider`, in a real browser. The provider is on
// localhost and the class on 127.0.0.1: for browsers these are two sites.
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Provider } from "oidc-provider";
import { inspect, open, start, until } from "../../browser/served.mjs";

const folder = mkdtempSync(join(tmpdir(), "sign-in-"));
const course = join(folder, "course.toml");
writeFileSync(course, `schema = 1
title = "Parallel programming"
roster = "roster.csv"
[staff]
ann = "instructor"
bob = { role = "assistant", account = "Bob@example.org" }
[labs.vecadd]
`);
writeFileSync(join(folder, "roster.csv"), "student,name,email\ns01,\"Doe, Jane\",jane@example.org\n");
writeFileSync(join(folder, "secret"), "a secret\n");
writeFileSync(join(folder, "client-secret"), "a secret of the client\n");
const accounts = {
  jane: { email: "jane@example.org", email_verified: true },
  bob: { email: "bob@example.org", email_verified: true },
  eve: { email: "eve@example.org", email_verified: true },
  mallory: { email: "jane@example.org", email_verified: false },
};

let answer = (request, response) => response.writeHead(503).end();  // of the provider, until it is made
const listening = createServer((request, response) => answer(request, response));
let server, url, issuer;

const form = (content) => `<!DOCTYPE html><html lang="en"><title>University</title><link rel="icon" href="data:,">
<main><h1>University</h1><form method="post">${content}</form></main></html>`;

function makeProvider() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [{
      client_id: "labs",
      client_secret: "a secret of the client",
      redirect_uris: [new URL("/sign-in/callback", url).href],
      post_logout_redirect_uris: [new URL("/sign-in", url).href],
    }],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", kid: "k1" }] },
    cookies: { keys: ["a key of the provider's cookies"] },
    pkce: { required: () => true },
    claims: { email: ["email", "email_verified"] },
    findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
    interactions: { url: (context, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async (context) => {
      const { client, provider: own, session } = context.oidc;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (context, fields) => {
          context.body = `<!DOCTYPE html><html lang="en"><title>University</title><link rel="icon" href="data:,">${fields}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></html>`;
        },
      },
    },
  });
  const handle = provider.callback();
  return async (request, response) => {
    if (!request.url.startsWith("/interaction/")) return handle(request, response);
    if (request.method === "GET") {
      return response.setHeader("Content-Type", "text/html").end(form(`<label>Name <input name="account"></label>
<button name="do" value="sign in">Sign in</button> <button name="do" value="decline">Decline</button>`));
    }
    let body = "";
    for await (const part of request) body += part;
    const fields = new URLSearchParams(body);
    return provider.interactionFinished(request, response, fields.get("do") === "decline"
      ? { error: "access_denied", error_description: "declined" } : { login: { accountId: fields.get("account") } });
  };
}

before(async () => {
  await new Promise((resolve) => listening.listen(0, "localhost", resolve));
  issuer = `http://localhost:${listening.address().port}`;
  server = await start(join(folder, "serve"), ["--course", course, "--secret-file", join(folder, "secret"), "--sandbox", "none",
    "--oidc-issuer", issuer, "--oidc-client", "labs", "--oidc-secret-file", join(folder, "client-secret")]);
  url = server.url;
});
after(async () => {
  await server.stop();
  listening.closeAllConnections();
  listening.close();
  rmSync(folder, { recursive: true });
});

const newWindow = () => open(url, {}, [issuer]);

/// From any page of the class to the provider, and back.
async function signIn(page, account, button = "Sign in") {
  await page.goto(new URL("/sign-in", url).href);
  await page.click("main a.primary");
  await page.waitForURL(/interaction/);
  await page.fill("input[name=account]", account);
  await page.click(`text="${button}"`);
  await page.waitForURL((at) => at.href.startsWith(url));
}

test("while the provider does not answer, a page says so, and links go on", async () => {
  const { page } = await newWindow();
  await page.goto(new URL("/sign-in", url).href);
  await inspect(page, "sign-in-provider");
  const answered = page.waitForResponse(/sign-in\/provider/);
  await page.click("main a.primary");
  assert.equal((await answered).status(), 502);
  await until(page, "main", /localhost:\d+ does not answer now/);
  await page.context().close();
  answer = makeProvider();
});

test("a student signs in, signs out here and there, and has to sign in again", async () => {
  const { page, close } = await newWindow();
  await signIn(page, "jane");
  await until(page, "body", /Doe, Jane/);
  assert.equal(new URL(page.url()).pathname, "/");
  await page.click("text=Sign out >> nth=0");
  await until(page, "h1", "Signed out");
  await page.click("text=Sign out at localhost");
  await page.click("button[name=logout]");
  await page.waitForURL(/\/sign-in$/);
  await page.click("main a.primary");
  await until(page, "label", "Name");  // the provider asks again
  await close();
});

test("an assistant is one by the account in [staff]", async () => {
  const { page, close } = await newWindow();
  await signIn(page, "bob");
  await page.click("a[href='/class']");
  await until(page, "td", "0 of 1");
  await close();
});

test("who is not in the roster reads which account it was, and can take another one", async () => {
  const { page } = await newWindow();
  await signIn(page, "eve");
  await until(page, "main", /as eve@example\.org.*ask the instructors of the course \(ann\)/);
  await inspect(page, "not-in-course");
  await page.click("text=Sign out at localhost");
  await page.click("button[name=logout]");
  await page.waitForURL(/\/sign-in$/);
  await signIn(page, "jane");
  await until(page, "body", /Doe, Jane/);
  await page.context().close();
});

test("an address that is not confirmed, and who declines, get one page", async () => {
  const { page } = await newWindow();
  await signIn(page, "somebody", "Decline");
  await until(page, "main", /you declined/);
  await signIn(page, "mallory");
  await until(page, "main", /jane@example\.org, and this e-mail address is not confirmed/);
  await page.context().close();
});

test("an answer that was meant for another browser signs nobody in", async () => {
  const first = await newWindow();
  await first.page.goto(new URL("/sign-in/provider", url).href);
  const { request } = first.page.context();  // with its cookies
  const options = { maxRedirects: 0 };
  let answered = await request.post(first.page.url(), { ...options, form: { account: "jane", do: "sign in" } });
  while (!answered.headers().location.startsWith(url)) {
    answered = await request.get(new URL(answered.headers().location, issuer).href, options);
  }
  const taken = answered.headers().location;  // with a code that was not used
  assert.match(taken, /sign-in\/callback\?code=/);
  const second = await newWindow();
  await second.page.goto(new URL("/sign-in/provider", url).href);
  await second.page.goto(taken);
  await until(second.page, "h1", "Start again");
  await second.page.goto(url);
  await until(second.page, "h1", "Not signed in");
  await first.page.goto(taken);  // where it belongs
  await until(first.page, "body", /Doe, Jane/);
  await first.page.context().close();
  await second.page.context().close();
});
