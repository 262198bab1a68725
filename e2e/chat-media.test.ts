import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { film, picture, sound } from './support/files.ts'
import { expectFocused, pressEscape } from './support/focus.ts'
import { describeInFull, testInFull } from './support/matrix.ts'
import { newChat, openChat } from './support/open-chat.ts'
import { sampleMessages } from './support/phones.ts'
import { expectSound } from './support/sound.ts'
import { colleague, phones, signedIn } from './support/stage.ts'

/** A browser with a fake microphone. */
const humming = await launchBrowser('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream')
afterAll(() => humming.close())

const page = await signedIn('ana')
const ana = await colleague('ana')

const log = () => page.getByRole('log')
const said = (text: string) => log().getByRole('article').filter({ hasText: text })

const chatWith = (name: string) => newChat(page, ana, name, 'oi')

const choose = (...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('footer input[type=file]').setInputFiles(files)
const widthOf = (name: string | RegExp) =>
  log()
    .getByRole('img', { name })
    .evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0))

testInFull('a picture is shown when it comes, and opens over the whole screen', async () => {
  const { phone } = await chatWith('Foto Que Abre')
  const base64 = picture(320, 200, 90).toString('base64')
  await phones.send(phone.id, {
    kind: 'image',
    base64,
    mimetype: 'image/png',
    caption: 'a caixa',
    width: 320,
    height: 200,
  })
  await phones.send(phone.id, {
    kind: 'image',
    base64,
    mimetype: 'image/png',
    caption: 'outro lado',
    width: 320,
    height: 200,
  })
  await expect.poll(() => widthOf('Imagem: a caixa')).toBe(320)
  await page.getByRole('button', { name: 'Abrir imagem: a caixa', exact: true }).click()
  const viewer = page.getByRole('dialog', { name: 'a caixa' })
  await viewer.getByText('1 de 2').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('dialog', { name: 'outro lado' }).getByText('2 de 2').waitFor()
  await pressEscape(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

testInFull('a round film is played by a press, and stands still again at its end', async () => {
  const { phone } = await chatWith('Filme Redondo')
  await phones.send(phone.id, sampleMessages.roundVideo)
  const said = log()
    .getByRole('article')
    .filter({ has: page.getByLabel('Mensagem de vídeo') })
  await said.getByRole('button', { name: 'Reproduzir' }).click()
  await said.getByRole('button', { name: 'Pausar' }).waitFor()
  await said.getByRole('button', { name: 'Reproduzir' }).waitFor()
})

testInFull(
  'a picture that the gateway does not give is shown as missing, and fetched again by hand',
  async () => {
    const { phone } = await chatWith('Foto Que Falta')
    await phones.setFaults({ failMedia: { on: true, oneIn: 1 } })
    try {
      await phones.send(phone.id, {
        kind: 'image',
        base64: picture(64, 64, 10).toString('base64'),
        caption: 'sumiu',
      })
      await said('sumiu').getByText('Imagem não disponível').waitFor()
    } finally {
      await phones.setFaults({ failMedia: { on: false } })
    }
    await said('sumiu').getByRole('button', { name: 'Tentar novamente' }).click()
    await expect.poll(() => widthOf('Imagem: sumiu')).toBe(64)
  },
)

testInFull('a voice is heard, at the speed that was chosen before', async () => {
  const { phone } = await chatWith('Voz Que Fala')
  await phones.send(phone.id, { kind: 'audio', base64: sound(6).toString('base64'), seconds: 6 })
  const player = log().getByRole('group', { name: 'Áudio' })
  await player.getByRole('button', { name: 'Velocidade 1×' }).click()
  await player.getByRole('button', { name: 'Ouvir' }).click()
  await player.getByRole('button', { name: 'Pausar' }).waitFor()
  await player.getByRole('button', { name: 'Ouvir' }).waitFor()
  await page.reload()
  await player.getByRole('button', { name: 'Velocidade 1,5×' }).waitFor()
})

testInFull('a voice goes on in another chat, by a bar that leads back to it', async () => {
  const { id: other } = await chatWith('Conversa Ao Lado')
  const { phone, id } = await chatWith('Voz Que Continua')
  await phones.send(phone.id, { kind: 'audio', base64: sound(90).toString('base64'), seconds: 90 })
  const player = log().getByRole('group', { name: 'Áudio' })
  const bar = page.getByRole('group', { name: 'Áudio em reprodução' })
  await player.getByRole('button', { name: 'Ouvir' }).click()
  await player.getByRole('button', { name: 'Pausar' }).waitFor()
  await expect.poll(() => bar.count()).toBe(0)
  await openChat(page, other, 'Conversa Ao Lado')
  await bar.getByText(/^0:0[1-9]/).waitFor()
  await expectSound(page, 1440)
  await bar.getByRole('button', { name: 'Pausar' }).click()
  await bar.getByRole('button', { name: 'Ouvir' }).click()
  await bar.getByRole('button', { name: 'Pausar' }).waitFor()
  await bar.getByRole('link', { name: 'Voz Que Continua' }).click()
  await player.getByRole('button', { name: 'Pausar' }).waitFor()
  await expect.poll(() => bar.count()).toBe(0)
  await openChat(page, other, 'Conversa Ao Lado')
  await bar.getByRole('button', { name: 'Fechar áudio' }).click()
  await expect.poll(() => bar.count()).toBe(0)
  await openChat(page, id, 'Voz Que Continua')
  await player.getByRole('button', { name: 'Ouvir' }).waitFor()
})

test('chosen files are looked at, captioned and sent in their order, and reach the phone', async () => {
  const { phone } = await chatWith('Recebe Arquivos')
  await choose(
    { name: 'foto.png', mimeType: 'image/png', buffer: picture(300, 200, 120) },
    { name: 'contrato.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') },
  )
  const dialog = page.getByRole('dialog', { name: 'Enviar 2 arquivos' })
  await dialog.getByLabel('Legenda').fill('a loja por dentro')
  await dialog.getByRole('button', { name: 'contrato.pdf' }).click()
  await dialog.getByLabel('Legenda').fill('assine, por favor')
  await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
  await said('a loja por dentro').waitFor()
  await said('assine, por favor').getByText('contrato.pdf').waitFor()
  await expect
    .poll(async () =>
      (await phones.chat(phone.id))
        .filter(({ from }) => from === 'company')
        .map(({ kind, text }) => [kind, text]),
    )
    .toEqual([
      ['image', 'a loja por dentro'],
      ['document', 'assine, por favor'],
    ])
  await expect.poll(() => widthOf('Imagem: a loja por dentro')).toBe(300)
})

testInFull('a film that cannot be had says so, and so does a voice', async () => {
  const { phone } = await chatWith('Nada Que Toque')
  const broken = Buffer.from('isto não toca').toString('base64')
  await phones.send(phone.id, { kind: 'video', base64: broken, caption: 'estragado' })
  await said('estragado').getByText('Vídeo não disponível').waitFor()
  await phones.send(phone.id, { kind: 'audio', base64: broken })
  await log().getByText('Áudio não disponível').waitFor()
})

testInFull('a film is shown with its controls, and a GIF plays automatically', async () => {
  // A GIF stands still for whoever asks for reduced motion.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const { phone } = await chatWith('Filma Tudo')
  await phones.send(phone.id, { kind: 'video', base64: film.toString('base64'), caption: 'a descarga' })
  await phones.send(phone.id, { kind: 'video', base64: film.toString('base64'), gif: true, caption: 'olha' })
  const shown = (label: string) => log().locator(`video[aria-label="${label}"]`)
  await expect
    .poll(() =>
      shown('Vídeo: a descarga').evaluate((one) => (one as unknown as { videoWidth: number }).videoWidth),
    )
    .toBe(96)
  await expect.poll(() => shown('Vídeo: a descarga').getAttribute('controls')).not.toBeNull()
  await expect
    .poll(() => shown('GIF: olha').evaluate((one) => (one as unknown as { paused: boolean }).paused))
    .toBe(false)
})

test('a file that is too large, or that the server does not take, is said so, and is not lost', async () => {
  await chatWith('Falha No Envio')
  const large = join(tmpdir(), `balcao-grande-${process.pid}.zip`)
  writeFileSync(large, '')
  truncateSync(large, 50 * 1024 * 1024 + 1)
  await page.locator('footer input[type=file]').setInputFiles(large)
  rmSync(large)
  await page.getByText('Arquivo muito grande', { exact: true }).waitFor()
  await page.getByText('O arquivo deve ter no máximo 50MB', { exact: true }).waitFor()
  const warnings: string[] = []
  page.on('console', (line) => warnings.push(line.text()))
  await page.route('**/api/media/upload', (route) => route.fulfill({ status: 418, body: '<h1>proxy</h1>' }))
  await choose({ name: 'foto.png', mimeType: 'image/png', buffer: picture(40, 40, 1) })
  await page.getByRole('dialog').getByLabel('Legenda').fill('vai depois')
  await page.keyboard.press('Enter')
  await page.getByText('Erro no upload', { exact: true }).waitFor()
  await page.getByText('Não foi possível enviar o arquivo. Tente novamente.', { exact: true }).waitFor()
  expect(warnings).toContain('Upload failed: 418 - <h1>proxy</h1>')
  await page.unroute('**/api/media/upload')
  await said('vai depois').getByRole('button', { name: 'Tentar novamente' }).click()
  await said('vai depois')
    .getByRole('img', { name: /^(Enviada|Entregue)$/ })
    .waitFor()
})

testInFull('a file is dropped onto the chat, pasted, and taken out again', async () => {
  await chatWith('Solta E Cola')
  const give = (kind: 'drop' | 'paste') =>
    page.evaluate(
      ([how, target]) => {
        const data = new DataTransfer()
        data.items.add(
          new File(['texto'], how === 'drop' ? 'solto.txt' : 'colado.txt', { type: 'text/plain' }),
        )
        const element = document.querySelector(target as string)
        if (how === 'drop') {
          element?.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer: data }))
          return data
        }
        element?.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData: data }))
        return undefined
      },
      [kind, kind === 'drop' ? '[role=log]' : 'textarea'] as const,
    )
  await give('drop')
  await page.getByText('Solte os arquivos para enviar').waitFor()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File(['texto'], 'solto.txt', { type: 'text/plain' }))
    document
      .querySelector('[role=log]')
      ?.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: data }))
  })
  await page.getByText('Solte os arquivos para enviar').waitFor({ state: 'detached' })
  const dialog = page.getByRole('dialog', { name: 'Enviar arquivo' })
  await dialog.getByText('solto.txt', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Remover arquivo' }).click()
  await dialog.waitFor({ state: 'detached' })
  await give('paste')
  await dialog.getByText('colado.txt', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Cancelar' }).click()
  await dialog.waitFor({ state: 'detached' })
})

testInFull.each(['fatura.exe', 'fatura.pdf.PHP', 'planilha.js\u200b'])(
  '%s is refused before it leaves',
  async (name) => {
    await chatWith(`Recusa ${name}`)
    await choose({ name, mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') })
    await page.getByText('🚫 Arquivo Bloqueado', { exact: true }).waitFor()
    await page
      .getByText(
        new RegExp(
          '^Extensão \\.(exe|php|js) não é permitida por motivos de segurança\\. ' +
            'Use apenas imagens, vídeos, áudios ou documentos PDF/Word\\.$',
        ),
      )
      .waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  },
)

testInFull('a voice is recorded, paused, heard and sent as a voice message', async () => {
  const { phone, id } = await chatWith('Ouve O Operador')
  const own = await signedIn('ana', { within: humming })
  await openChat(own, id, phone.name)
  await own.getByRole('button', { name: 'Gravar voz' }).click()
  const bar = own.getByRole('group', { name: 'Gravação de voz' })
  await expect.poll(() => bar.getByRole('timer').textContent()).toMatch(/^0:0[1-9]$/)
  await bar.getByRole('button', { name: 'Pausar gravação' }).click()
  await bar.getByRole('button', { name: 'Continuar gravação' }).click()
  await expect.poll(() => bar.getByRole('timer').textContent()).toMatch(/^0:0[2-9]$/)
  await bar.getByRole('button', { name: 'Parar gravação' }).press('Enter')
  const preview = bar.getByRole('group', { name: 'Sua gravação' })
  await preview.getByRole('button', { name: 'Ouvir' }).waitFor()
  await expectFocused(bar.getByRole('button', { name: 'Enviar voz' }))
  const heights = () =>
    preview
      .locator('span[style]')
      .evaluateAll((all) => new Set(all.map((one) => (one as HTMLElement).style.height)).size)
  await expect.poll(heights).toBeGreaterThan(1)
  await own.keyboard.press('Enter')
  await expectFocused(own.getByPlaceholder('Digite sua mensagem...'))
  await own.getByRole('log').getByRole('group', { name: 'Áudio' }).waitFor()
  await expect
    .poll(async () =>
      (await phones.chat(phone.id))
        .filter(({ from }) => from === 'company')
        .map(({ kind, voice }) => [kind, voice !== false]),
    )
    .toEqual([['audio', true]])
  await own.getByRole('button', { name: 'Gravar voz' }).press('Enter')
  await expectFocused(bar.getByRole('button', { name: 'Parar gravação' }))
  await bar.getByRole('button', { name: 'Descartar gravação' }).press('Enter')
  await expectFocused(own.getByPlaceholder('Digite sua mensagem...'))
  // Without listening first; and never in answer to a message, which the phone would not show.
  await own.getByRole('button', { name: 'Gravar voz' }).click()
  await expect.poll(() => bar.getByRole('timer').textContent()).toMatch(/^0:0[1-9]$/)
  // The focus has followed a press of the pointer.
  await expect.poll(() => own.getByRole('tooltip').count()).toBe(0)
  await bar.getByRole('button', { name: 'Enviar voz' }).click()
  await expect
    .poll(async () => (await phones.chat(phone.id)).filter(({ kind }) => kind === 'audio').length)
    .toBe(2)
  await own.getByRole('article').first().getByRole('button', { name: 'Responder' }).click()
  await own.getByRole('button', { name: 'Gravar voz' }).waitFor({ state: 'detached' })
  await own.getByRole('button', { name: 'Cancelar resposta' }).click()
  await own.getByRole('button', { name: 'Gravar voz' }).waitFor()
  await own.context().close()
})

test('a recording is not lost by opening another chat, unless it is discarded', async () => {
  const { phone, id } = await chatWith('Grava Devagar')
  const other = await chatWith('Chama No Meio')
  const own = await signedIn('ana', { width: 1440, within: humming })
  await openChat(own, other.id, other.phone.name)
  const list = own.getByRole('region', { name: 'Conversas', exact: true })
  const row = (name: string) => list.getByRole('link').filter({ hasText: name })
  await list.getByRole('searchbox').fill(phone.name)
  await row(phone.name).click()
  await own.getByRole('button', { name: 'Gravar voz' }).click()
  const timer = own.getByRole('group', { name: 'Gravação de voz' }).getByRole('timer')
  await timer.waitFor()
  const question = own.getByRole('dialog', { name: 'Descartar a gravação?' })
  // To look for somebody in the list is not to leave.
  await list.getByRole('searchbox').fill(other.phone.name)
  await row(other.phone.name).click()
  await expectSound(own, 1440)
  await expectFocused(question.getByRole('button', { name: 'Continuar aqui' }))
  await own.keyboard.press('Enter')
  await own.goBack()
  await question.waitFor()
  await pressEscape(own)
  await question.waitFor({ state: 'detached' })
  await timer.waitFor()
  expect(own.url()).toContain(`conversation=${id}`)
  await row(other.phone.name).click()
  await question.getByRole('button', { name: 'Descartar' }).click()
  await own.waitForURL((url) => url.searchParams.get('conversation') === String(other.id))
  await timer.waitFor({ state: 'detached' })
  await own.context().close()
})

testInFull('the composer says so when there is no microphone', async () => {
  await chatWith('Sem Microfone')
  await page.getByRole('button', { name: 'Gravar voz' }).click()
  await page.getByText('Não foi possível gravar', { exact: true }).waitFor()
})

const looks = [
  { width: 390, height: 844, theme: 'dark' },
  { width: 1440, height: 900, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
] as const

describeInFull.each(looks)('at $width px, $theme', (look) => {
  let own: Page
  beforeAll(async () => {
    own = await signedIn('ana', { ...look, within: humming })
  })
  afterAll(() => own.context().close())

  test('files are chosen, looked at and sent, and nothing is outside its place', async () => {
    const phone = await phones.create(`Cabe Em ${look.width} ${look.theme}`)
    await phones.write(phone.id, 'oi')
    const { id } = await ana.conversationWith(phone)
    await openChat(own, id, phone.name)
    const article = (text: string) => own.getByRole('log').getByRole('article').filter({ hasText: text })
    await article('oi').waitFor()
    await own.locator('footer input[type=file]').setInputFiles([
      {
        name: `${'comprido'.repeat(12)}.pdf`,
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF-1.4\n'),
      },
      { name: 'foto.png', mimeType: 'image/png', buffer: picture(900, 1600, 120) },
    ])
    const dialog = own.getByRole('dialog', { name: 'Enviar 2 arquivos' })
    await dialog.getByRole('button', { name: 'foto.png' }).click()
    await dialog.getByLabel('Legenda').fill('em pé')
    await expectSound(own, look.width)
    await dialog.getByRole('button', { name: 'Enviar', exact: true }).click()
    await article('em pé')
      .getByRole('img', { name: /^(Enviada|Entregue)$/ })
      .waitFor()
    await expectSound(own, look.width)
    await own.getByRole('button', { name: 'Abrir imagem: em pé', exact: true }).click()
    const viewer = own.getByRole('dialog', { name: 'em pé' })
    await viewer.getByRole('button', { name: 'Girar' }).click()
    await viewer.getByRole('button', { name: 'Aumentar' }).click()
    await expectSound(own, look.width)
    await pressEscape(own)
    await viewer.waitFor({ state: 'detached' })
    await own.getByRole('button', { name: 'Gravar voz' }).click()
    await own.getByRole('group', { name: 'Gravação de voz' }).getByRole('timer').waitFor()
    await expectSound(own, look.width)
    await own.getByRole('button', { name: 'Descartar gravação' }).click()
    await phones.send(phone.id, { kind: 'audio', base64: sound(3).toString('base64'), seconds: 3 })
    await own.getByRole('log').getByRole('group', { name: 'Áudio' }).waitFor()
    await expectSound(own, look.width)
  })
})
