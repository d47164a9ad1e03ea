// A learning platform for the tests of LTI 1.3, written from the specifications: Core 1.3, Security Framework 1.0, Deep
// Linking 2.0, Assignment and Grade Services 2.0, Names and Role Provisioning Services 2.0. No package has one. It is
// strict: what a tool must send and does not is an error.
import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { createServer } from "node:http";

const claim = (name) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
const deepLink = (name) => `https://purl.imsglobal.org/spec/lti-dl/claim/${name}`;
const grades = "https://purl.imsglobal.org/spec/lti-ags/";
const members = "https://purl.imsglobal.org/spec/lti-nrps/";
const role = (name) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`;
const encode = (value) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
const decode = (part) => JSON.parse(Buffer.from(part, "base64url"));
const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
const page = (title, content) => `<!DOCTYPE html><html lang="en"><title>${title}</title><link rel="icon" href="data:,">
<main><h1>${title}</h1>${content}</main></html>`;

/// A platform on a free port of localhost, with one course.
/// @param users  {id: {name, email, role}}
export class Platform {
  clientId = "labs-client";
  deploymentId = "deployment-7";
  links = [];  // {id, title, target, custom}
  lineItems = [];  // {id, label, scoreMaximum, resourceId, ...}
  scores = [];  // {item, ...}: all that came
  launches = [];  // {token, state}: all that were sent
  failing = 0;  // scores that the platform refuses because it is out of order
  problems = [];  // of the tool's requests
  pageSize = 2;
  #keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  #kid = "key-1";
  #tokens = new Map();  // access token to its scopes
  #assertions = new Set();

  constructor(users) {
    this.users = users;
    this.server = createServer((request, response) => {
      this.#handle(request, response).catch((error) => {
        this.problems.push(`${request.method} ${request.url}: ${error.message}`);
        response.writeHead(400).end(JSON.stringify({ error: "invalid_request", error_description: error.message }));
      });
    });
  }
  async listen() {
    await new Promise((resolve) => this.server.listen(0, "localhost", resolve));
    this.issuer = `http://localhost:${this.server.address().port}`;
  }
  close() {
    this.server.closeAllConnections();
    this.server.close();
  }
  /// As the administrators write it into the tool's file.
  registration() {
    return `schema = 1
[[platform]]
issuer = "${this.issuer}"
client_id = "${this.clientId}"
deployment_ids = ["${this.deploymentId}"]
authorization_url = "${this.issuer}/auth"
token_url = "${this.issuer}/token"
jwks_url = "${this.issuer}/jwks"
`;
  }
  /// @param url  of the tool
  useTool(url) {
    this.tool = { login: new URL("/lti/login", url).href, redirect: new URL("/lti/launch", url).href,
      jwks: new URL("/lti/keys", url).href, select: new URL("/lti/deep-link", url).href };
  }
  addLink(title, target, custom) {
    this.links.push({ id: `link-${this.links.length + 1}`, title, target, custom });
  }
  /// A new key; the old one is withdrawn.
  rotate() {
    this.#keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
    this.#kid = `key-${Number(this.#kid.slice(4)) + 1}`;
  }
  /// Where a user's browser begins a launch of a link, or the choice of links.
  loginUrl(user, link) {
    const url = new URL(this.tool.login);
    url.search = new URLSearchParams({ iss: this.issuer, login_hint: user, client_id: this.clientId,
      lti_deployment_id: this.deploymentId, lti_message_hint: link ? link.id : "select",
      target_link_uri: link ? link.target : this.tool.select });
    return url.href;
  }

  #sign(claims) {
    const head = encode({ alg: "RS256", typ: "JWT", kid: this.#kid });
    const body = encode(claims);
    return `${head}.${body}.${sign("sha256", Buffer.from(`${head}.${body}`), this.#keys.privateKey).toString("base64url")}`;
  }
  /// The claims of a JWT of the tool.
  async #verified(token) {
    const [head, body, signature] = token.split(".");
    const { alg, kid } = decode(head);
    assert.equal(alg, "RS256");
    const { keys } = await (await fetch(this.tool.jwks)).json();
    const jwk = keys.find((key) => key.kid === kid);
    assert.ok(jwk, "the tool has no such key");
    assert.deepEqual(Object.keys(jwk).sort(), ["alg", "e", "kid", "kty", "n", "use"], "only what is public");
    const key = createPublicKey({ key: jwk, format: "jwk" });
    assert.ok(verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url")), "the signature");
    const claims = decode(body);
    assert.ok(claims.exp > Date.now() / 1000 && claims.iat <= Date.now() / 1000 + 5, "the times");
    return claims;
  }
  #claims(user, hint, nonce) {
    const { name, email, role: kind } = this.users[user];
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer, aud: this.clientId, sub: user, iat: now, exp: now + 300, nonce, name, email,
      [claim("version")]: "1.3.0",
      [claim("deployment_id")]: this.deploymentId,
      [claim("context")]: { id: "course-42", title: "Parallel programming", type: ["CourseSection"] },
      [claim("roles")]: [role(kind)],
      [`${grades}claim/endpoint`]: {
        scope: ["scope/lineitem", "scope/lineitem.readonly", "scope/score"].map((one) => grades + one),
        lineitems: `${this.issuer}/course-42/lineitems?view=all`,
      },
      [`${members}claim/namesroleservice`]: {
        context_memberships_url: `${this.issuer}/course-42/members`, service_versions: ["2.0"],
      },
    };
    if (hint === "select") {
      claims[claim("message_type")] = "LtiDeepLinkingRequest";
      claims[claim("target_link_uri")] = this.tool.select;
      claims[deepLink("deep_linking_settings")] = {
        deep_link_return_url: `${this.issuer}/return`, accept_types: ["ltiResourceLink"],
        accept_presentation_document_targets: ["window"], accept_multiple: true, data: "csrf-of-the-platform",
      };
      return claims;
    }
    const link = this.links.find((one) => one.id === hint);
    claims[claim("message_type")] = "LtiResourceLinkRequest";
    claims[claim("target_link_uri")] = link.target;
    claims[claim("resource_link")] = { id: link.id, title: link.title };
    if (link.custom) claims[claim("custom")] = link.custom;
    if (link.lineItem) claims[`${grades}claim/endpoint`].lineitem = link.lineItem;
    return claims;
  }

  async #handle(request, response) {
    const url = new URL(request.url, this.issuer);
    let body = "";
    for await (const part of request) body += part;
    const html = (text) => response.setHeader("Content-Type", "text/html").end(text);
    const json = (value, type = "application/json", status = 200) =>
      response.writeHead(status, { "Content-Type": type }).end(JSON.stringify(value));
    switch (`${request.method} ${url.pathname}`) {
      case "GET /course": {
        const user = url.searchParams.get("user");
        return html(page("Course", this.links.map((link) =>
          `<p><a href="${escape(this.loginUrl(user, link))}">${escape(link.title)}</a></p>`).join("")));
      }
      case "GET /framed": {  // a link, or the choice of links, in a frame
        const link = this.links.find((one) => one.id === url.searchParams.get("link"));
        const target = this.loginUrl(url.searchParams.get("user"), link);
        return html(page("Course", `<iframe title="Tool" width="600" height="500" src="${escape(target)}"></iframe>`));
      }
      case "GET /auth": return html(this.#authorize(url.searchParams));
      case "GET /jwks": return json({ keys: [{ ...this.#keys.publicKey.export({ format: "jwk" }), kid: this.#kid,
        alg: "RS256", use: "sig" }] });
      case "POST /token": return json(await this.#token(new URLSearchParams(body)));
      case "POST /return": return html(await this.#added(new URLSearchParams(body)));
      default: return this.#serve(request, url, body, json, response);
    }
  }
  /// Security Framework 1.0, section 5.1.1.
  #authorize(query) {
    const wanted = { scope: "openid", response_type: "id_token", response_mode: "form_post", prompt: "none",
      client_id: this.clientId, redirect_uri: this.tool.redirect };
    for (const [name, value] of Object.entries(wanted)) assert.equal(query.get(name), value, name);
    const [state, nonce, user] = ["state", "nonce", "login_hint"].map((name) => query.get(name));
    assert.ok(state && nonce && this.users[user]);
    const token = this.#sign(this.#claims(user, query.get("lti_message_hint"), nonce));
    this.launches.push({ token, state });
    return page("One moment", `<form method="post" action="${this.tool.redirect}"><input type="hidden" name="id_token" value="${token}">
<input type="hidden" name="state" value="${escape(state)}"></form><script>document.forms[0].submit()</script>`);
  }
  /// Security Framework 1.0, section 4.1.
  async #token(form) {
    assert.equal(form.get("grant_type"), "client_credentials");
    assert.equal(form.get("client_assertion_type"), "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const claims = await this.#verified(form.get("client_assertion"));
    assert.equal(claims.iss, this.clientId);
    assert.equal(claims.sub, this.clientId);
    assert.equal(claims.aud, `${this.issuer}/token`);
    assert.ok(claims.jti && !this.#assertions.has(claims.jti), "each assertion once");
    this.#assertions.add(claims.jti);
    const token = randomUUID();
    this.#tokens.set(token, form.get("scope").split(" "));
    return { access_token: token, token_type: "Bearer", expires_in: 3600, scope: form.get("scope") };
  }
  /// Deep Linking 2.0, section 3.
  async #added(form) {
    const claims = await this.#verified(form.get("JWT"));
    assert.equal(claims.iss, this.clientId);
    assert.equal([claims.aud].flat()[0], this.issuer);
    assert.equal(claims[claim("message_type")], "LtiDeepLinkingResponse");
    assert.equal(claims[claim("version")], "1.3.0");
    assert.equal(claims[claim("deployment_id")], this.deploymentId);
    assert.equal(claims[deepLink("data")], "csrf-of-the-platform");
    const items = claims[deepLink("content_items")];
    for (const item of items) {
      assert.equal(item.type, "ltiResourceLink");
      this.addLink(item.title, item.url, item.custom);
      const link = this.links.at(-1);
      const id = `${this.issuer}/course-42/lineitems/${this.lineItems.length + 1}?view=all`;
      this.lineItems.push({ ...item.lineItem, id, resourceLinkId: link.id });
      link.lineItem = id;
    }
    return page("Added", `<p id="added">${items.length} links</p>`);
  }
  #allow(request, ...scopes) {
    const given = this.#tokens.get(request.headers.authorization?.replace("Bearer ", ""));
    assert.ok(given && scopes.some((scope) => given.includes(scope)), "an access token with the scope");
  }
  #serve(request, url, body, json, response) {
    const at = `${request.method} ${url.pathname}`;
    if (at === "GET /course-42/members") {
      this.#allow(request, `${members}scope/contextmembership.readonly`);
      assert.equal(request.headers.accept, "application/vnd.ims.lti-nrps.v2.membershipcontainer+json");
      const from = Number(url.searchParams.get("from") ?? 0);
      const all = Object.entries(this.users).map(([id, user]) => ({ status: "Active", user_id: id, name: user.name,
        email: user.email, roles: [role(user.role)] }));
      if (from + this.pageSize < all.length) {
        response.setHeader("Link", `<${this.issuer}/course-42/members?from=${from + this.pageSize}>; rel="next"`);
      }
      return json({ id: url.href, context: { id: "course-42" }, members: all.slice(from, from + this.pageSize) },
        request.headers.accept);
    }
    if (at === "GET /course-42/lineitems") {
      this.#allow(request, `${grades}scope/lineitem`, `${grades}scope/lineitem.readonly`);
      const id = url.searchParams.get("resource_id");
      assert.equal(url.searchParams.get("view"), "all", "the query of the address is kept");
      return json(this.lineItems.filter((item) => !id || item.resourceId === id), request.headers.accept);
    }
    if (at === "POST /course-42/lineitems") {
      this.#allow(request, `${grades}scope/lineitem`);
      assert.equal(request.headers["content-type"], "application/vnd.ims.lis.v2.lineitem+json");
      const item = { ...JSON.parse(body), id: `${this.issuer}/course-42/lineitems/${this.lineItems.length + 1}?view=all` };
      assert.ok(item.label && item.scoreMaximum > 0);
      this.lineItems.push(item);
      return json(item, request.headers["content-type"], 201);
    }
    const [, path] = at.match(/^POST (\/course-42\/lineitems\/\d+)\/scores$/) ?? [];
    assert.ok(path, "there is such an address");
    this.#allow(request, `${grades}scope/score`);
    assert.equal(request.headers["content-type"], "application/vnd.ims.lis.v1.score+json");
    if (this.failing > 0) {
      --this.failing;
      return json({ error: "maintenance" }, "application/json", 503);
    }
    const score = JSON.parse(body);
    const item = this.lineItems.find((one) => new URL(one.id).pathname === path);
    assert.ok(item, "the line item");
    assert.equal(this.users[score.userId]?.role, "Learner");
    assert.match(score.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    assert.ok(score.activityProgress && score.gradingProgress);
    const earlier = this.scores.filter((one) => one.item === item && one.userId === score.userId);
    assert.ok(earlier.every((one) => one.timestamp < score.timestamp), "later than the one before");
    this.scores.push({ ...score, item });
    response.writeHead(204).end();
  }
}
