import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { isFull } from './full-run.ts'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // Pages live for seconds: optimizing their scripts costs more than it saves.
  '--js-flags=--no-opt --no-maglev',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

const shell = '/usr/bin/chromium-headless-shell'
const whole = '/usr/bin/chromium'

/**
 * Launches Debian's headless shell, which takes a third of the processor time of the full Chromium. The full
 * run, and a machine without the shell, use the full one. `CHROMIUM` names another executable.
 */
export function launchBrowser(...more: string[]): Promise<Browser> {
  return launch(isFull || !existsSync(shell) ? whole : shell, more)
}

/** Launches the full Chromium, since the headless shell has no desktop notifications. */
export function launchWholeBrowser(): Promise<Browser> {
  return launch(whole, [])
}

function launch(executablePath: string, more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? executablePath,
    args: [...flags, ...more],
  })
}

export interface ContextOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
}

/** A session with which a browser context can begin. */
export interface Session {
  /** The server's address. */
  url: string
  token: string
}

/**
 * Creates a browser context for a person: separate cookies and storage, locale and time zone of São Paulo.
 */
export function newContext(
  browser: Browser,
  options: ContextOptions & { session?: Session } = {},
): Promise<BrowserContext> {
  const { width = 1440, height = 900, theme = 'light', session } = options
  return browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    // Animations take processor time, and every look waits for their end.
    reducedMotion: isFull ? 'no-preference' : 'reduce',
    ...(session && { storageState: stateOf(session) }),
  })
}

/** The browser state after a login: the token in its storage, and the cookie for pictures and files. */
function stateOf({
  url,
  token,
}: Session): Exclude<BrowserContextOptions['storageState'], string | undefined> {
  const cookie = { name: 'sid', value: token, domain: new URL(url).hostname, path: '/', expires: -1 }
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' }],
    origins: [{ origin: url, localStorage: [{ name: 'auth_token', value: token }] }],
  }
}

/** Opens a page in a new browser context, without a session. */
export async function newPage(browser: Browser, options: ContextOptions = {}): Promise<Page> {
  return (await newContext(browser, options)).newPage()
}

/** Fills the login screen that is shown, and presses its button. */
export async function enter(page: Page, username: string, password: string): Promise<void> {
  await page.getByPlaceholder('Digite seu usuário').fill(username)
  await page.getByPlaceholder('Digite sua senha').fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

/** Signs in by the login screen. */
export async function signIn(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(url)
  await enter(page, username, password)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
}

/** The session token stored by the page. */
export async function tokenOf(page: Page): Promise<string> {
  return (await page.evaluate(() => localStorage.getItem('auth_token'))) ?? ''
}
