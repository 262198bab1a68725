import type { Page } from 'playwright-core'
import { backups, idle, planOf, stats } from '../large-installation.ts'
import type { Screen } from './screen.ts'

const path = '/api/maintenance'

/** Answers the calls of the screen with these, and nothing else with what an earlier screen has chosen. */
async function answer(page: Page, answers: Readonly<Record<string, unknown>>): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const [call, json] of Object.entries(answers))
    await page.route(`**${path}/${call}`, (route) =>
      json === undefined ? route.fulfill({ status: 500, json: {} }) : route.fulfill({ json }),
    )
}

async function openMaintenance(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/maintenance`)
  await page.getByRole('heading', { name: 'Manutenção', level: 1 }).waitFor()
}

/** The screen with what the server itself says; the first time it makes a backup. */
async function openOwn(page: Page, url: string): Promise<void> {
  await answer(page, {})
  await openMaintenance(page, url)
  const done = page.getByRole('table').getByText('Concluído').first()
  const none = page.getByText('Nenhum backup ainda')
  await done.or(none).waitFor()
  if (await none.isVisible()) await page.getByRole('button', { name: 'Criar backup' }).click()
  await done.waitFor()
  await page.getByText('Backup em andamento').waitFor({ state: 'detached' })
  await page.getByRole('group', { name: 'Mídias' }).waitFor()
}

export const maintenanceScreens: readonly Screen[] = [
  { name: 'manutencao', heightPx: 1400, open: openOwn },
  {
    name: 'manutencao-em-andamento',
    heightPx: 1700,
    async open(page, url) {
      await answer(page, { stats, backups })
      await openMaintenance(page, url)
      await page.getByText('Copiando mídias').waitFor()
    },
  },
  {
    name: 'manutencao-restaurar',
    async open(page, url) {
      await openOwn(page, url)
      await openRestore(page)
      await page.getByRole('table', { name: 'O que muda' }).waitFor()
    },
  },
  {
    name: 'manutencao-restaurar-outra',
    async open(page, url) {
      await answer(page, { stats: { ...stats, runs: [] }, backups })
      const run = { ...idle, kind: 'preview', plan: planOf(['loja-centro', 'loja-bairro']) }
      await page.route(`**${path}/restore/*/preview`, (route) => route.fulfill({ status: 201, json: run }))
      await openMaintenance(page, url)
      await openRestore(page)
      await page.getByRole('table', { name: 'O que muda' }).waitFor()
    },
  },
  {
    name: 'manutencao-restaurar-previa',
    async open(page, url) {
      const run = {
        ...stats.runs[0],
        kind: 'preview',
        step: 'stage',
        done: 120_408,
        total: 194_641,
        secondsLeft: 21,
      }
      await answer(page, { stats: { ...stats, runs: [] }, backups })
      await page.route(`**${path}/restore/*/preview`, (route) => route.fulfill({ status: 201, json: run }))
      await openMaintenance(page, url)
      await openRestore(page)
      await page.getByRole('dialog').getByText('Carregando à parte').waitFor()
    },
  },
  {
    name: 'manutencao-limpar',
    async open(page, url) {
      await openOwn(page, url)
      await page.getByRole('button', { name: 'Limpar tudo' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/^Apaga/).waitFor()
      await dialog.getByRole('button', { name: 'Limpar tudo' }).click()
    },
  },
  {
    name: 'manutencao-apagar',
    async open(page, url) {
      await openOwn(page, url)
      await page
        .getByRole('button', { name: /^Apagar / })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'manutencao-prazos',
    heightPx: 1700,
    async open(page, url) {
      await openOwn(page, url)
      for (const name of ['Mídias', 'Textos', 'Auditoria'])
        await page.getByRole('group', { name }).getByRole('switch').click()
      await page.getByRole('group', { name: 'Textos' }).getByLabel('Guardar por').fill('30')
      await page.getByRole('button', { name: 'Contar o que apagaria' }).click()
      await page.getByText(/^Na próxima noite/).waitFor()
      await page.getByRole('group', { name: 'Auditoria' }).getByLabel('Guardar por').fill('20')
      await page.getByRole('switch', { name: 'Criar um backup por dia' }).click()
      await page.getByLabel('Horário').fill('25:00')
      await page.getByLabel('Guardar os últimos').fill('0')
      await page.getByRole('button', { name: 'Salvar' }).click()
      await page.getByText('Digite um número de 180 a 3.650').waitFor()
      await page.getByLabel('Horário').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'manutencao-vazia',
    heightPx: 1400,
    async open(page, url) {
      await answer(page, {
        stats: { ...stats, lastBackup: null, lastProof: null, runs: [], daysLeft: null, weekGrowth: 0 },
        backups: [],
      })
      await openMaintenance(page, url)
      await page.getByText('Nenhum backup ainda').waitFor()
    },
  },
  {
    name: 'manutencao-carregando',
    heightPx: 1400,
    async open(page, url) {
      await answer(page, {})
      await page.goto(url)
      await page.getByRole('heading', { level: 1 }).waitFor()
      // Calls that are never answered would keep the picture waiting for the network.
      await page.evaluate((prefix) => {
        const { fetch } = globalThis
        globalThis.fetch = (input, init) => {
          const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
          return pathname.startsWith(prefix) ? new Promise(() => {}) : fetch(input, init)
        }
        history.pushState(null, '', '/maintenance')
      }, path)
      await page.getByRole('status', { name: 'Carregando as estatísticas' }).waitFor()
    },
  },
  {
    name: 'manutencao-erro',
    heightPx: 1400,
    async open(page, url) {
      await answer(page, { stats: undefined, backups: undefined, plan: undefined })
      await openMaintenance(page, url)
      await page.getByText('Falha ao buscar estatísticas').waitFor()
      await page.getByText('Falha ao buscar backups').waitFor()
    },
  },
  {
    name: 'manutencao-negada',
    async open(page, url) {
      await answer(page, {})
      await page.route('**/api/auth/me', async (route) => {
        const answered = await route.fetch()
        const { user, ...rest } = (await answered.json()) as { user: object }
        const json = { ...rest, user: { ...user, role: 'supervisor', permissions: {} } }
        await route.fulfill({ response: answered, json })
      })
      await page.goto(`${url}/maintenance`)
      await page.getByText('Acesso Negado').waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    },
  },
]

/** Opens the dialog for the first completed backup, ticks everything, and asks what would change. */
async function openRestore(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Restaurar' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Restauração seletiva' })
  for (const box of await dialog.getByRole('checkbox').all()) await box.check()
  await dialog.getByRole('button', { name: 'Ver o que muda' }).click()
}
