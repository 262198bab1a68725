import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { Program } from '../proof/support/program.ts'
import { picture as pictureFile, sound } from './support/files.ts'
import { launchBrowser, newContext, signIn } from './support/browser.ts'
import { Phones, sampleMessages } from './support/phones.ts'

/**
 * `npm run screens`: a picture of every screen, in both themes, wide and narrow, into e2e/output/screens.
 * With `-- --url http://localhost:3000 --data ./data` the pictures are of a demonstration that runs already;
 * `--only chat,atalhos` takes those whose names begin so.
 */
const out = join(import.meta.dirname, 'output', 'screens')
const argument = (name: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

interface Screen {
  name: string
  /** Of the window, when more must be seen than a screen holds. */
  heightPx?: number
  /** Brings the page there; the picture is taken when it has settled. */
  open(page: Page, url: string): Promise<void>
}

const settle = (page: Page) => page.waitForLoadState('networkidle').catch(() => undefined)

const screens: Screen[] = [
  { name: 'dashboard', open: (page, url) => page.goto(url).then(() => undefined) },
  {
    name: 'conversas-ativas',
    open: (page, url) => page.goto(`${url}/conversas-ativas`).then(() => undefined),
  },
  {
    name: 'conversas-ativas-sem-resultado',
    open: (page, url) => page.goto(`${url}/conversas-ativas?search=zzzz`).then(() => undefined),
  },
  {
    name: 'chat',
    open: openMaria,
  },
  {
    name: 'chat-transferir',
    async open(page, url) {
      await openMaria(page, url)
      await act(page, 'Transferir')
      await page.getByRole('radio').nth(1).click()
    },
  },
  {
    name: 'chat-finalizar',
    async open(page, url) {
      await openMaria(page, url)
      await act(page, 'Finalizar')
    },
  },
  {
    name: 'chat-mais-acoes',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Mais ações' }).click()
    },
  },
  {
    name: 'chat-respostas-rapidas',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByPlaceholder('Digite sua mensagem...').fill('/s')
      await page.getByRole('listbox').waitFor()
    },
  },
  {
    name: 'chat-excluir',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Mais ações' }).click()
      await page.getByRole('menuitem', { name: 'Excluir', exact: true }).click()
    },
  },
  {
    name: 'chat-ir-para',
    async open(page, url) {
      await openMaria(page, url)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
      await page.keyboard.type('a')
    },
  },
  {
    name: 'atalhos',
    async open(page, url) {
      await page.goto(`${url}/conversas-ativas`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'chat-menu-da-mensagem',
    async open(page, url) {
      await openMaria(page, url)
      const last = page.getByRole('log').getByRole('button', { name: 'Opções da mensagem' }).last()
      await last.focus()
      await last.press('Enter')
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'chat-emojis',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Emojis' }).click()
      await page.getByRole('dialog', { name: 'Emojis' }).getByRole('option').first().waitFor()
    },
  },
  {
    name: 'chat-contato',
    heightPx: 1500,
    async open(page, url) {
      await openMaria(page, url)
      await togglePanel(page)
    },
  },
  {
    name: 'chat-empresa',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByRole('button', { name: 'Empresa:' }).first().click()
      await page.getByRole('listbox', { name: 'Empresa' }).waitFor()
    },
  },
  {
    name: 'chat-nao-lidas-e-rascunho',
    async open(page, url) {
      await openMaria(page, url)
      await page.getByPlaceholder('Digite sua mensagem...').fill('Vou verificar o estoque e já')
      const phones = new Phones(url)
      const unread = await phones.create('Cliente com o nome bem comprido que não cabe na linha da lista')
      for (const text of ['bom dia', 'alguém aí?', 'preciso trocar um produto'])
        await phones.write(unread.id, text)
      await page.goto(`${url}/conversas-ativas?search=${encodeURIComponent('Cliente com o nome')}`)
      await page.getByText('preciso trocar um produto').first().click()
      await page.getByRole('log').waitFor()
    },
  },
  {
    name: 'passar-turno',
    async open(page, url) {
      await page.goto(`${url}/conversas-ativas`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Ir para…' }).waitFor()
      await page.keyboard.type('passar meu')
      await page.getByRole('option', { name: 'Passar meu turno' }).click()
      await page.getByRole('dialog', { name: 'Passar meu turno' }).waitFor()
    },
  },
  {
    name: 'chat-tipos-de-mensagem',
    heightPx: 9600,
    open: openEveryKind,
  },
  {
    name: 'chat-imagem',
    async open(page, url) {
      await openEveryKind(page, url)
      await page.getByRole('button', { name: 'Abrir imagem: segunda do álbum' }).last().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'chat-anexos',
    async open(page, url) {
      await openEveryKind(page, url)
      await page.locator('footer input[type=file]').setInputFiles([
        {
          name: 'vitrine da loja nova na esquina.png',
          mimeType: 'image/png',
          buffer: pictureFile(640, 400, 120),
        },
        { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
        { name: 'recado.wav', mimeType: 'audio/wav', buffer: sound(2) },
      ])
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'test-contact-display',
    open: (page, url) => page.goto(`${url}/test-contact-display`).then(() => undefined),
  },
  {
    name: 'chat-inexistente',
    open: (page, url) => page.goto(`${url}/chat?conversation=99999999`).then(() => undefined),
  },
  ...['horario', 'midia', 'mensagens', 'fila', 'pre-atendimento', 'evolution'].map((tab) => ({
    name: `settings-advanced-${tab}`,
    heightPx: 1700,
    open: (page: Page, url: string) => page.goto(`${url}/settings-advanced?aba=${tab}`).then(() => undefined),
  })),
  ...['usuario', 'mensagens', 'midia', 'gateway'].map((tab) => ({
    name: `settings-${tab}`,
    heightPx: 1700,
    open: (page: Page, url: string) => page.goto(`${url}/settings?aba=${tab}`).then(() => undefined),
  })),
  { name: 'nao-encontrada', open: (page, url) => page.goto(`${url}/nao-existe`).then(() => undefined) },
  { name: 'simulador', open: (page, url) => page.goto(`${url}/simulador`).then(() => undefined) },
]

const everyKindName = 'Manda de Tudo'

async function openEveryKind(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/conversas-ativas?search=${encodeURIComponent(everyKindName)}`)
  await page.getByRole('link', { name: everyKindName }).click()
  await page.getByRole('log').waitFor()
}

async function openMaria(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/conversas-ativas?search=Maria+Aparecida`)
  await page.getByText('Maria Aparecida de Albuquerque').first().click()
  await page.getByRole('log').waitFor()
}

/** Where there is room the panel stands already. */
async function togglePanel(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Dados do contato' })
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click()
  await page.getByRole('heading', { name: 'Etiquetas' }).waitFor()
}

/** A button of the chat's header; where it is narrow, an item of its menu. */
async function act(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  if (await button.isVisible()) return button.click()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

const signs =
  'Oi! *Preciso* de _ajuda_ com o ~pedido~ `48213`:\n- caixa rasgada\n- *falta* um item\n' +
  '> Entrega até sexta\nLigue (11) 98765-4321 ou ana@exemplo.com.br\n```total = 129,90```'

/** A chat with a message of every kind from the client, and after it from the company's phone. */
async function writeEveryKind(url: string): Promise<void> {
  const phones = new Phones(url)
  const { id } = await phones.create(everyKindName)
  await phones.write(id, signs)
  await phones.send(id, { kind: 'image', base64: 'AAAA', caption: 'não abre' })
  for (const message of Object.values(sampleMessages)) await phones.send(id, message)
  for (const message of Object.values(sampleMessages)) {
    const sent = await phones.sendAsOwner(id, message)
    if (message.kind !== 'poll') continue
    await phones.vote(id, sent.id, ['tarde'])
    await phones.pin(id, sent.id, true)
  }
  await phones.call(id, { outcome: 'missed' })
}

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
      for (const screen of wanted) {
        await page.setViewportSize({ width, height: screen.heightPx ?? height })
        await screen.open(page, url)
        await picture(page, `${screen.name}-${suffix}`)
      }
      count += wanted.length + 2
      await context.close()
    }
  await browser.close()
  return count
}

const only = (argument('only') ?? '').split(',')
const wanted = screens.filter(({ name }) => only.some((start) => name.startsWith(start)))
mkdirSync(out, { recursive: true })
const given = argument('url')
const dataDir = argument('data') ?? mkdtempSync(join(tmpdir(), 'balcao-screens-'))
if (!given) chmodSync(dataDir, 0o755)
const program = given ? undefined : await Program.start(dataDir)
try {
  const password = readFileSync(join(dataDir, 'demo', 'demo-password'), 'utf8').trim()
  const url = given ?? program?.url ?? ''
  await writeEveryKind(url)
  const count = await takeAll(url, password)
  process.stdout.write(`${count} imagens em ${out}\n`)
} finally {
  await program?.stop()
  if (program && !argument('data')) rmSync(dataDir, { recursive: true, force: true })
}
