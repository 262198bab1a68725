import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ArchivedPage } from '#shared/conversations/archive.ts'
import type { Backup, MaintenanceStats } from '#shared/maintenance/maintenance.ts'
import type { MaintenancePlan, StoredPlan } from '#shared/maintenance/maintenance-plan.ts'
import { asksForPassword, givePassword } from './support/confirm.ts'
import { go } from './support/go.ts'
import { backups as largeBackups, stats as largeStats } from './support/large-installation.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { sampleMessages } from './support/phones.ts'
import { expectAccessible, expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'
import { toast } from './support/toast.ts'

// Storage, backups, restores, cleanups, and what happens automatically.

const admin = await colleague('admin')

const calls = '/api/maintenance'
const readStats = () => admin.call<MaintenanceStats>('GET', `${calls}/stats`)
const readBackups = () => admin.call<Backup[]>('GET', `${calls}/backups`)
const isBusy = async () =>
  (await readStats()).runs.some(({ state }) => state === 'queued' || state === 'running')
/** Not expect.poll, which only works within a test. */
const expectIdle = () =>
  vi.waitFor(
    async () => {
      if (await isBusy()) throw new Error('something is still running')
    },
    { timeout: 60_000 },
  )

let made: Backup | undefined
/** A completed backup of the demonstration, with every conversation that has ended by then. */
async function newBackup(): Promise<Backup> {
  await expectIdle()
  const { id } = await admin.call<Backup>('POST', `${calls}/backup`, { name: newName(), type: 'complete' })
  await expectIdle()
  made = (await readBackups()).find((one) => one.id === id)
  if (made?.status !== 'completed') throw new Error(`no backup: ${made?.error}`)
  return made
}
const someBackup = async () => made ?? newBackup()

let names = 0
/** One word, so that a search finds nothing else. */
const newName = () => `Guardada${Date.now().toString(36)}x${++names}`

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const backups = (page: Page) => card(page, 'Backup e restauração')
const cleanup = (page: Page) => card(page, 'Limpeza de mensagens')
const plan = (page: Page) => card(page, 'Backup diário e prazos')
const row = (page: Page, { name }: Pick<Backup, 'name'>) =>
  backups(page).getByRole('row').filter({ hasText: name }).first()
const bar = (page: Page, name: string) => page.getByRole('progressbar', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function open(page: Page): Promise<void> {
  await go(page, '/maintenance')
  await page.getByRole('heading', { name: 'Manutenção', level: 1 }).waitFor()
  await card(page, 'Uso de disco').waitFor()
}

/** A conversation with a picture that Ana has finalized, in the archive. */
async function archived(name: string): Promise<number> {
  const ana = await colleague('ana')
  const phone = await phones.create(name)
  await phones.send(phone.id, sampleMessages.picture)
  const { id } = await ana.conversationWith(phone)
  await ana.call('POST', `/api/conversations/${id}/finalize`, {})
  return id
}
const found = (query: Record<string, string>) =>
  admin.call<ArchivedPage>('GET', `/api/conversations/archived?${new URLSearchParams(query).toString()}`)

afterAll(async () => {
  await expectIdle()
  for (const { id } of await readBackups()) await admin.call('DELETE', `${calls}/backups/${id}`)
})

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, an administrator', (size) => {
  let page: Page
  /** A conversation in the archive, and in the backup. */
  const name = newName()
  let archivedId: number
  beforeAll(async () => {
    archivedId = await archived(name)
    page = await signedIn('admin', size)
  })
  beforeEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    // Another screen, so that no dialog is open.
    await go(page, '/contacts')
  })

  test('an administrator makes a backup, which continues without them, and is verified', async () => {
    await expectIdle()
    await open(page)
    await backups(page).getByRole('button', { name: 'Criar backup' }).click()
    await bar(page, 'Backup em andamento').waitFor()
    await page.getByText(/^Iniciado por Marina Queiroz às \d\d:\d\d\. Pode sair desta tela/).waitFor()
    await go(page, '/contacts')
    await page.getByRole('heading', { name: 'Contatos', exact: true }).waitFor()
    await open(page)
    await bar(page, 'Backup em andamento').waitFor()
    // One thing at a time.
    for (const name of ['Criar backup', 'Limpar tudo'])
      await expect.poll(() => page.getByRole('button', { name }).isDisabled()).toBe(true)
    await expectSound(page, size.width)
    await bar(page, 'Backup em andamento').waitFor({ state: 'detached', timeout: 60_000 })
    const [newest] = await readBackups()
    made = newest
    expect(newest).toMatchObject({ status: 'completed', createdBy: 'Marina Queiroz' })
    const { name: given = '', size: bytes, proof } = newest ?? {}
    expect(given).toMatch(/^Backup_\d\d-\d\d-\d{4}_\d\d-\d\d$/)
    expect(bytes).toBeGreaterThan(500_000)
    expect(proof?.rows).toBeGreaterThan(10_000)
    const first = row(page, { name: given })
    await first.getByText('Concluído').waitFor()
    await first.getByText('conferido').waitFor()
    const rows = proof?.rows.toLocaleString('pt-BR')
    await backups(page)
      .getByText(`${rows} linhas e ${proof?.files} arquivos restaurados à parte e comparados`)
      .waitFor()
    await card(page, 'Último backup').getByText('Concluído').waitFor()
  })

  testInFull('an administrator downloads a backup', async () => {
    const backup = await someBackup()
    await open(page)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      row(page, backup).getByRole('button', { name: 'Download' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe(`${backup.name}.tar`)
    const bytes = await readFile(await saved.path())
    expect(bytes.length).toBe(backup.size)
    // The mark in the header of a TAR's first member.
    expect(bytes.subarray(257, 262).toString('latin1')).toBe('ustar')
  })

  testInFull(
    'an administrator deletes the conversations of some days, and restores them',
    async () => {
      const backup = await someBackup()
      const oldest = (await found({ order: 'oldest', limit: '10' })).conversations[0]
      // By the clock of São Paulo, three hours behind.
      const day = new Date(Date.parse(oldest?.completedAt ?? '') - 3 * 3_600_000).toISOString().slice(0, 10)
      const ofDay = async () => (await found({ from: day, to: day })).pagination.totalItems
      const all = async () => (await found({})).pagination.totalItems
      const [before, wholeBefore] = [await ofDay(), await all()]
      expect(before).toBeGreaterThan(0)

      await open(page)
      const clean = cleanup(page).getByRole('button', { name: 'Limpar período' })
      await expect.poll(() => clean.isDisabled()).toBe(true)
      await cleanup(page).getByLabel('De', { exact: true }).fill(day)
      await expect.poll(() => clean.isDisabled()).toBe(true)
      await cleanup(page).getByLabel('até').fill('2020-01-01')
      await cleanup(page).getByText('A data final é anterior à data inicial.').waitFor()
      await expect.poll(() => clean.isDisabled()).toBe(true)
      await cleanup(page).getByLabel('até').fill(day)
      await clean.click()
      const asked = dialog(page, 'Limpar período?')
      const counted = `${before} ${before === 1 ? 'conversa' : 'conversas'}`
      await asked.getByText(new RegExp(`^${counted}, \\d+ mensagens e 0 arquivos$`)).waitFor()
      await asked.getByText(/^Último backup: /).waitFor()
      await expectSound(page, size.width)
      await asked.getByRole('button', { name: 'Limpar período' }).click()
      await toast(page, 'Limpeza concluída').waitFor()
      await toast(page, new RegExp(`^${counted}, \\d+ mensagens e 0 arquivos apagados$`)).waitFor()
      await expect.poll(ofDay).toBe(0)
      await expect.poll(all).toBe(wholeBefore - before)
      await cleanup(page)
        .getByText(/^Última limpeza: concluída, /)
        .waitFor()

      await admin.call('DELETE', `/api/conversations/${archivedId}`)
      await expect.poll(async () => (await found({ search: name })).pagination.totalItems).toBe(0)
      await row(page, backup).getByRole('button', { name: 'Restaurar' }).click()
      const restore = dialog(page, 'Restauração seletiva')
      for (const button of ['Ver o que muda', 'Restaurar'])
        await expect.poll(() => restore.getByRole('button', { name: button }).isDisabled()).toBe(true)
      await restore.getByLabel('Contatos, empresas e conversas arquivadas com mídias').check()
      await restore.getByRole('button', { name: 'Ver o que muda' }).click()
      const changes = restore.getByRole('table', { name: 'O que muda' })
      const added = (what: string) =>
        changes
          .getByRole('row')
          .filter({ has: page.getByRole('rowheader', { name: what, exact: true }) })
          .getByRole('cell')
          .first()
      await expect.poll(() => added('Conversas').textContent(), { timeout: 60_000 }).toBe(String(before + 1))
      await expect.poll(() => added('Contatos').textContent()).toBe('0')
      await restore.getByText(/ 1 a copiar \(/).waitFor()
      await expectSound(page, size.width)
      await asksForPassword(page, `**${calls}/restore/${backup.id}`)
      await restore.getByRole('button', { name: 'Restaurar' }).click()
      await givePassword(page)
      await toast(page, 'Restauração iniciada').waitFor()
      await toast(page, 'Restauração concluída').waitFor({ timeout: 60_000 })
      await expect.poll(ofDay).toBe(before)
      await backups(page)
        .getByText(/^Última restauração: concluída em .+, por Marina Queiroz\.$/)
        .waitFor()
      // Words are searched a moment after they are there.
      await expect.poll(async () => (await found({ search: name })).pagination.totalItems).toBe(1)
      await go(page, `/conversas-arquivadas?search=${name}`)
      await page.getByRole('list', { name: 'Conversas arquivadas' }).getByText(name).first().waitFor()
    },
    150_000,
  )

  testInFull('an administrator stops a run, which then leaves nothing', async () => {
    await expectIdle()
    await open(page)
    await backups(page).getByRole('button', { name: 'Criar backup' }).click()
    await page.getByRole('button', { name: 'Parar' }).click()
    const stopped = backups(page).getByRole('row').nth(1)
    await stopped.getByText('Falhou').waitFor({ timeout: 60_000 })
    await stopped.getByText('Parado antes do fim').waitFor()
    await bar(page, 'Backup em andamento').waitFor({ state: 'detached' })
    for (const name of ['Download', 'Restaurar'])
      await expect.poll(() => stopped.getByRole('button', { name }).count()).toBe(0)
    await expectSound(page, size.width)
    await stopped.getByRole('button', { name: /^Apagar Backup_/ }).click()
    await dialog(page, 'Apagar backup?').getByText('Só o registro da falha some.').waitFor()
    await dialog(page, 'Apagar backup?').getByRole('button', { name: 'Apagar' }).click()
    await toast(page, 'Backup apagado').waitFor()
    await expect.poll(() => backups(page).getByText('Falhou').count()).toBe(0)
  })

  testInFull('an administrator deletes everything only after typing a word', async () => {
    await open(page)
    const sent: unknown[] = []
    await page.route(`**${calls}/cleanup`, (route) => {
      sent.push(route.request().postDataJSON())
      const json = { deletedConversations: 3, deletedMessages: 40, deletedFiles: 1 }
      return route.fulfill({ json })
    })
    await cleanup(page).getByRole('button', { name: 'Limpar tudo' }).click()
    const asked = dialog(page, 'Limpar tudo?')
    await asked.getByText('Todas as conversas finalizadas').waitFor()
    await asked.getByText(/^[\d.]+ conversas, [\d.]+ mensagens e \d+ arquivos?$/).waitFor()
    await asked.getByRole('button', { name: 'Limpar tudo' }).click()
    await asked.getByText('Digite a palavra LIMPAR').waitFor()
    await asked.getByRole('heading').hover()
    await expectSound(page, size.width)
    await asked.getByLabel('Digite LIMPAR para confirmar').fill('limpa')
    await asked.getByLabel('Digite LIMPAR para confirmar').press('Enter')
    await asked.getByText('Digite a palavra LIMPAR').waitFor()
    expect(sent).toEqual([])
    await asked.getByLabel('Digite LIMPAR para confirmar').fill('limpar')
    await asked.getByRole('button', { name: 'Limpar tudo' }).click()
    await toast(page, '3 conversas, 40 mensagens e 1 arquivo apagados').waitFor()
    await asked.waitFor({ state: 'detached' })
    expect(sent).toEqual([{ cleanAll: true }])
  })

  testInFull('an administrator reads what has failed', async () => {
    const backup = await someBackup()
    await open(page)
    const fails = (path: string, method: string) =>
      page.route(`**${calls}/${path}`, (route) =>
        route.request().method() === method ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
      )
    await fails('backup', 'POST')
    await backups(page).getByRole('button', { name: 'Criar backup' }).click()
    await toast(page, 'Erro ao criar backup').waitFor()
    await toast(page, 'Falha ao criar backup').waitFor()
    await fails('download/*', 'HEAD')
    await row(page, backup).getByRole('button', { name: 'Download' }).click()
    await toast(page, 'Erro no download').waitFor()
    await toast(page, 'Falha ao baixar o backup').waitFor()
    await fails('restore/*', 'POST')
    await row(page, backup).getByRole('button', { name: 'Restaurar' }).click()
    const restore = dialog(page, 'Restauração seletiva')
    await restore.getByLabel('Configurações, categorias e gateway').check()
    await restore.getByRole('button', { name: 'Restaurar' }).click()
    await toast(page, 'Erro no restore').waitFor()
    await toast(page, 'Falha no restore').waitFor()
    await restore.getByRole('button', { name: 'Cancelar' }).click()
    await fails('cleanup', 'POST')
    await cleanup(page).getByRole('button', { name: 'Limpar tudo' }).click()
    await dialog(page, 'Limpar tudo?').getByLabel('Digite LIMPAR para confirmar').fill('LIMPAR')
    await dialog(page, 'Limpar tudo?').getByRole('button', { name: 'Limpar tudo' }).click()
    await toast(page, 'Erro na limpeza').waitFor()
    await toast(page, 'Falha na limpeza').waitFor()
    await dialog(page, 'Limpar tudo?').getByRole('button', { name: 'Cancelar' }).click()

    for (const path of ['stats', 'backups', 'plan']) await fails(path, 'GET')
    await page.reload()
    await page.getByText('Falha ao buscar estatísticas').waitFor()
    await page.getByText('Falha ao buscar backups').waitFor()
    await plan(page).getByText('Erro ao carregar').waitFor()
    await expectSound(page, size.width)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await plan(page).getByRole('button', { name: 'Tentar novamente' }).click()
    await plan(page).getByText('Tudo salvo').waitFor()
  })

  testInFull('an administrator chooses what happens automatically', async () => {
    const before = await admin.call<MaintenancePlan>('GET', `${calls}/plan`)
    await open(page)
    await plan(page).getByText('Tudo salvo').waitFor()
    await plan(page).getByRole('switch', { name: 'Criar um backup por dia' }).click()
    await plan(page).getByLabel('Horário').fill('2359')
    await plan(page).getByLabel('Guardar os últimos').fill('0')
    const audit = plan(page).getByRole('group', { name: 'Auditoria' })
    await audit.getByRole('switch', { name: 'Guardar para sempre' }).click()
    await audit.getByLabel('Guardar por').fill('20')
    await plan(page).getByText('4 mudanças não salvas').waitFor()
    await plan(page).getByRole('button', { name: 'Salvar' }).click()
    await plan(page).getByText('Digite um número de 1 a 365').waitFor()
    await plan(page).getByText('Digite um número de 180 a 3.650').waitFor()
    await expectSound(page, size.width)
    await plan(page).getByLabel('Guardar os últimos').fill('7')
    await audit.getByLabel('Guardar por').fill('3650')
    await plan(page).getByRole('button', { name: 'Contar o que apagaria' }).click()
    await plan(page).getByText('Na próxima noite nada seria apagado.').waitFor()
    await plan(page).getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Backup diário e prazos salvos').waitFor()
    await page.reload()
    await plan(page).getByText('Tudo salvo').waitFor()
    await expect.poll(() => plan(page).getByLabel('Horário').inputValue()).toBe('23:59')
    await expect.poll(() => plan(page).getByLabel('Guardar os últimos').inputValue()).toBe('7')
    await expect.poll(() => audit.getByLabel('Guardar por').inputValue()).toBe('3650')
    await plan(page).getByRole('switch', { name: 'Criar um backup por dia', checked: true }).waitFor()

    // A colleague is faster.
    await plan(page).getByLabel('Guardar os últimos').fill('8')
    const stored = await admin.call<StoredPlan>('GET', `${calls}/plan`)
    await admin.call('PUT', `${calls}/plan`, { ...stored, backupTime: '22:15', backupsKept: 9 })
    await plan(page).getByRole('button', { name: 'Salvar' }).click()
    await toast(page, /mudou o backup diário e os prazos enquanto você editava/).waitFor()
    await expect.poll(() => plan(page).getByLabel('Horário').inputValue()).toBe('22:15')
    await plan(page).getByText('1 mudança não salva').waitFor()
    await plan(page).getByRole('button', { name: 'Salvar' }).click()
    await plan(page).getByText('Tudo salvo').waitFor()
    await expect
      .poll(() => admin.call<StoredPlan>('GET', `${calls}/plan`))
      .toMatchObject({ backupTime: '22:15', backupsKept: 8 })
    await admin.call('PUT', `${calls}/plan`, { ...before, version: undefined })
    await go(page, '/auditoria?group=maintenance')
    await page
      .getByText(/^mudou o backup diário ou os prazos: /)
      .first()
      .waitFor()
    await expect.poll(() => page.getByText(/maintenance\./).count()).toBe(0)
  })
})

const looks = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
  { width: 1024, height: 800, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
] as const
testInFull.each(looks)('a large installation is shown at $width px, $theme', async (look) => {
  const page = await signedIn('admin', look)
  const stats = {
    ...largeStats,
    diskUsage: { ...largeStats.diskUsage, totalSize: 1.43 * 1024 ** 3, percentage: 142.9 },
    kinds: largeStats.kinds.map((one) => (one.kind === 'audio' ? { ...one, sizeBytes: 512 * 1024 } : one)),
  }
  for (const [call, json] of Object.entries({ stats, backups: largeBackups }))
    await page.route(`**${calls}/${call}`, (route) => route.fulfill({ json }))
  await open(page)
  await card(page, 'Uso de disco').getByText('GB', { exact: true }).waitFor()
  await card(page, 'Uso de disco').getByText('142,9% de 1 GB usado').waitFor()
  await card(page, 'Banco de dados').getByText('MB', { exact: true }).waitFor()
  await page.getByRole('list', { name: 'Tamanho por tipo' }).getByText('KB').waitFor()
  await row(page, { name: 'Backup_17-11-2026_23-00' })
    .getByText('2 arquivos em falta e 1 arquivo danificado')
    .waitFor()
  await expectAccessible(page)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
})

test.each(inFullAlso(['supervisora'], ['ana']))(
  '%s has neither the screen nor its place in the menu',
  async (username) => {
    const page = await signedIn(username)
    await page.getByRole('link', { name: 'Contatos' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Manutenção' }).count()).toBe(0)
    await go(page, '/maintenance')
    await page.getByRole('heading', { name: 'Acesso Negado' }).waitFor()
    const person = await colleague(username)
    for (const call of ['stats', 'backups', 'plan'])
      await expect(person.call('GET', `${calls}/${call}`)).rejects.toThrow(/: 403 /)
  },
)
