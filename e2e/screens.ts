import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { Program } from '../proof/support/program.ts'
import { launchBrowser, newContext, signIn } from './support/browser.ts'
import { actForAudit } from './support/audit-acts.ts'
import { Colleague } from './support/colleague.ts'
import { Phones } from './support/phones.ts'
import { everyKindName, writeEveryKind } from './support/every-kind.ts'
import { screens, states, type Screen } from './support/screens.ts'

// `npm run screens` takes screenshots of every screen, in both themes and three widths, into
// e2e/output/screens. With `-- --url http://localhost:3000 --data ./data` it uses a running demonstration;
// `--only /chat,/users` selects screens by the beginning of their names.

const out = join(import.meta.dirname, 'output', 'screens')
const argument = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** 'contacts-import' of '/contacts/import'. */
const fileName = (name: string) => name.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '') || 'dashboard'

const settle = (page: Page) => page.waitForLoadState('networkidle').catch(() => undefined)

async function picture(page: Page, name: string): Promise<void> {
  await settle(page)
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(out, `${name}.png`) })
}

async function takeAll(url: string, password: string): Promise<number> {
  const browser = await launchBrowser()
  let count = 0
  for (const theme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [390, 844],
    ] as const) {
      const context = await newContext(browser, { theme, width, height })
      const page = await context.newPage()
      page.on('pageerror', (error) => process.stderr.write(`${theme} ${width}: ${error.message}\n`))
      const suffix = `${theme}-${width}`
      await page.goto(url)
      await picture(page, `login-${suffix}`)
      await page.getByPlaceholder('Digite seu usuário').fill(`ninguem-${suffix}`)
      await page.getByPlaceholder('Digite sua senha').fill(`errada-${count}`)
      await page.getByRole('button', { name: 'Entrar' }).click()
      await page.getByRole('alert').first().waitFor()
      await picture(page, `login-erro-${suffix}`)
      await signIn(page, url, 'admin', password)
      for (const [name, address, shown] of wanted) {
        await page.goto(url + address)
        await shown(page)
        await picture(page, `${fileName(name)}-${suffix}`)
      }
      count += wanted.length + 2
      await context.close()
    }
  await browser.close()
  return count
}

const chat: Screen = [
  '/chat',
  `/conversas-ativas?search=${encodeURIComponent(everyKindName)}`,
  async (page) => {
    await page.getByRole('link', { name: everyKindName }).first().click()
    await page.getByRole('log').waitFor()
  },
]
const only = (argument('only') ?? '').split(',')
const wanted = [...screens, chat, ...states].filter(([name]) => only.some((start) => name.startsWith(start)))
mkdirSync(out, { recursive: true })
const given = argument('url')
const dataDir = argument('data') ?? mkdtempSync(join(tmpdir(), 'balcao-screens-'))
if (!given) chmodSync(dataDir, 0o755)
const program = given ? undefined : await Program.start(dataDir)
try {
  const password = readFileSync(join(dataDir, 'demo', 'demo-password'), 'utf8').trim()
  const url = given ?? program?.url ?? ''
  await writeEveryKind(url)
  const [admin, bruno] = await Promise.all(
    ['admin', 'bruno'].map((username) => Colleague.signIn(url, username, password)),
  )
  if (admin && bruno) await actForAudit(url, new Phones(url), { admin, bruno })
  const count = await takeAll(url, password)
  process.stdout.write(`${count} imagens em ${out}\n`)
} finally {
  await program?.stop()
  if (program && !argument('data')) rmSync(dataDir, { recursive: true, force: true })
}
