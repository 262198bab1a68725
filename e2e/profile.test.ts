import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { inAccountMenu } from './support/account-menu.ts'
import { newAccount, newName } from './support/accounts.ts'
import { enter, newContext, signIn } from './support/browser.ts'
import { Colleague } from './support/colleague.ts'
import { asksForPassword, givePassword } from './support/confirm.ts'
import { pressEscape, refusal } from './support/focus.ts'
import { inFullAlso, testInFull } from './support/matrix.ts'
import { expectAccessible, expectAccessibleState } from './support/sound.ts'
import { browser, colleague, password, signedIn, url } from './support/stage.ts'
import { toast } from './support/toast.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const section = (page: Page, name: string) => page.getByRole('region', { name })
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

/** Waits until the session of somebody is over. */
const isEnded = (person: Colleague) =>
  expect
    .poll(() =>
      person.call('GET', '/api/auth/me').then(
        () => 'lives',
        (error: Error) => error.message,
      ),
    )
    .toContain('401')

async function opened(size: { width: number; height?: number }) {
  const account = await newAccount()
  const context = await newContext(browser, size)
  const page = await context.newPage()
  await signIn(page, url, account.username, password)
  await page.goto(`${url}/perfil`)
  await heading(page, 'Meu perfil')
  return { ...account, context, page }
}

/** The code of the secret that the page shows. */
async function codeOn(page: Page) {
  await page.getByRole('button', { name: 'Não consigo ler o código' }).click()
  const secret = (await page.getByText('Digite esta chave no aplicativo').locator('code').textContent()) ?? ''
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  return { totp, code: totp.generate() }
}

const sizes = inFullAlso([{ width: 1440, height: 900 }], [{ width: 390, height: 844 }])
describe.each(sizes)('at $width px, the own profile', (size) => {
  let person: Awaited<ReturnType<typeof opened>>
  let page: Page
  beforeAll(async () => {
    person = await opened(size)
    page = person.page
  })

  testInFull('the own profile is opened from the menu, and is sound', async () => {
    await page.goto(url)
    if (size.width < 768) await page.getByRole('button', { name: 'Abrir menu' }).click()
    await inAccountMenu(page, 'Editar perfil')
    await heading(page, 'Meu perfil')
    await page.getByRole('list', { name: 'Sessões abertas' }).getByText('Esta sessão').waitFor()
    await expectAccessibleState(page)
  })

  test('the own profile refuses what is missing, and saves another name', async () => {
    const data = section(page, 'Dados')
    await data.getByLabel('Nome').fill('  ')
    await data.getByLabel('Email').fill('sem arroba')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await data.getByText('Nome é obrigatório').waitFor()
    await data.getByText('Email inválido').waitFor()
    await page.getByText('2 mudanças não salvas').waitFor()
    await page.getByRole('button', { name: 'Descartar' }).click()
    await expect.poll(() => data.getByLabel('Nome').inputValue()).toBe(person.name)
    const name = newName()
    await data.getByLabel('Nome').fill(name)
    await page.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Perfil atualizado com sucesso').waitFor()
    await page.getByText('Tudo salvo').waitFor()
    if (size.width >= 1200) await page.getByRole('complementary').getByText(name).waitFor()
    person.name = name
  })

  testInFull(
    'the own profile shows the strength of a new password, and asks for the current one',
    async () => {
      const form = section(page, 'Senha')
      await form.getByRole('textbox', { name: 'Nova senha' }).fill('flamengo10')
      await form.getByText('Fraca.').waitFor()
      await form.getByRole('textbox', { name: 'Nova senha' }).fill('cobre-janela-milho')
      await form.getByText('Muito boa.').waitFor()
      await expectAccessibleState(page)
      await page.getByRole('button', { name: 'Salvar' }).click()
      await form.getByText('Informe a senha atual').waitFor()
      await form.getByRole('textbox', { name: 'Senha atual' }).fill('errada')
      await page.getByRole('button', { name: 'Salvar' }).click()
      await form.getByText('A senha atual não confere.').waitFor()
      const other = await Colleague.signIn(url, person.username, password)
      await form.getByRole('textbox', { name: 'Senha atual' }).fill(password)
      await page.getByRole('button', { name: 'Salvar' }).click()
      await toast(page, 'Perfil atualizado com sucesso').waitFor()
      await isEnded(other)
    },
  )

  testInFull('the own profile has a picture, which colleagues see, and which is removed', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=='
    await page
      .getByLabel('Foto', { exact: true })
      .setInputFiles({ name: 'eu.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
    await toast(page, 'Foto atualizada').waitFor()
    const picture = section(page, 'Dados').locator('img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(256)
    await page
      .getByLabel('Foto', { exact: true })
      .setInputFiles({ name: 'eu.png', mimeType: 'image/png', buffer: Buffer.from('nada') })
    await toast(page, 'Não foi possível ler esta imagem').waitFor()
    await page.getByRole('button', { name: 'Remover' }).click()
    await toast(page, 'Foto removida').waitFor()
    await picture.waitFor({ state: 'detached' })
  })

  testInFull('the own profile ends one of the other sessions, and all of them', async () => {
    const now = (await page.evaluate(() => localStorage.getItem('auth_token'))) ?? ''
    expect(now).not.toBe('')
    const others = await Promise.all(
      Array.from({ length: 2 }, () => Colleague.signIn(url, person.username, 'cobre-janela-milho')),
    )
    await page.reload()
    const list = page.getByRole('list', { name: 'Sessões abertas' })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(3)
    await list
      .getByRole('button', { name: /^Encerrar/ })
      .first()
      .click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    await page.getByRole('button', { name: 'Encerrar todas as outras' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    for (const other of others) await isEnded(other)
  })

  testInFull(
    'the own profile has a second factor, asked for at the next sign-in and where something is sensitive',
    async () => {
      await page.getByRole('button', { name: 'Ativar' }).click()
      const setup = dialog(page, 'Ativar verificação em duas etapas')
      await setup.getByRole('img', { name: 'Código QR para o aplicativo' }).waitFor()
      await expectAccessibleState(page)
      await setup.getByLabel('Código', { exact: true }).fill('000000')
      await setup.getByRole('button', { name: 'Confirmar' }).click()
      await setup.getByText('Senha ou código incorreto.').waitFor()
      const { totp, code } = await codeOn(page)
      await setup.getByLabel('Código', { exact: true }).fill(code)
      await setup.getByRole('button', { name: 'Confirmar' }).click()
      const codes = setup.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem')
      await expect.poll(() => codes.count()).toBe(10)
      await expectAccessibleState(page)
      const [recovery = '', second = ''] = await codes.allTextContents()
      await setup.getByRole('checkbox', { name: 'Guardei os códigos em lugar seguro' }).check()
      await setup.getByRole('button', { name: 'Concluir' }).click()
      await section(page, 'Verificação em duas etapas')
        .getByText('10 códigos de recuperação restantes')
        .waitFor()

      const elsewhere = await newContext(browser, size)
      const login = await elsewhere.newPage()
      await login.goto(url)
      await enter(login, person.username, 'cobre-janela-milho')
      await login.getByLabel('Código de verificação').fill('000000')
      await expectAccessible(login)
      await login.getByRole('button', { name: 'Entrar' }).click()
      await login.getByText('Código incorreto ou já usado. Espere o próximo e tente novamente.').waitFor()
      await login.getByLabel('Código de verificação').fill(recovery)
      await login.getByRole('button', { name: 'Entrar' }).click()
      await heading(login, 'Dashboard')
      await elsewhere.close()

      await asksForPassword(page, '**/api/profile/recovery-codes')
      await page.getByRole('button', { name: 'Novos códigos de recuperação' }).click()
      const ask = dialog(page, 'Trocar códigos de recuperação')
      await ask.getByLabel('Código').fill(second)
      await ask.getByRole('button', { name: 'Trocar códigos' }).click()
      const confirm = dialog(page, 'Confirme sua senha')
      await expectAccessibleState(page)
      await givePassword(page, 'errada')
      await confirm.getByText('Senha ou código incorreto.').waitFor()
      await confirm.getByRole('button', { name: 'Usar um código do aplicativo' }).click()
      await dialog(page, 'Confirme com um código')
        .getByLabel('Código do aplicativo')
        .fill(totp.generate({ timestamp: Date.now() + 30_000 }))
      await page.getByRole('button', { name: 'Confirmar' }).click()
      const renewed = dialog(page, 'Novos códigos de recuperação')
      await expect
        .poll(() =>
          renewed.getByRole('list', { name: 'Códigos de recuperação' }).getByRole('listitem').count(),
        )
        .toBe(10)
      const [renewedCode = ''] = await renewed
        .getByRole('list', { name: 'Códigos de recuperação' })
        .getByRole('listitem')
        .allTextContents()
      await pressEscape(page)
      await page.getByRole('button', { name: 'Desativar' }).click()
      const off = dialog(page, 'Desativar verificação em duas etapas')
      await expectAccessibleState(page)
      const saved: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'PUT') saved.push(new URL(request.url()).pathname)
      })
      await off.getByLabel('Código').fill('000000')
      await off.getByRole('button', { name: 'Desativar verificação' }).click()
      await off.getByText('Senha ou código incorreto.').waitFor()
      await off.getByLabel('Código').fill(renewedCode)
      await off.getByRole('button', { name: 'Desativar verificação' }).click()
      await page.getByRole('button', { name: 'Ativar' }).waitFor()
      // A code is not for the form around the dialog.
      expect(saved).toEqual([])
    },
  )

  testInFull('the own profile says what went wrong, and keeps what was typed', async () => {
    await page.route('**/api/profile', (route) => route.fulfill({ status: 500, body: '' }), { times: 1 })
    const name = section(page, 'Dados').getByLabel('Nome')
    await name.fill('Fica Aqui')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await toast(page, 'Erro ao atualizar perfil').waitFor()
    await expect.poll(() => name.inputValue()).toBe('Fica Aqui')
    await page.getByRole('button', { name: 'Descartar' }).click()
  })

  testInFull('the own profile asks before changes are lost', async () => {
    await section(page, 'Dados').getByLabel('Nome').fill('Não salvo')
    await page.goBack()
    await dialog(page, 'Sair sem salvar?').getByRole('button', { name: 'Continuar editando' }).click()
    await expect.poll(() => section(page, 'Dados').getByLabel('Nome').inputValue()).toBe('Não salvo')
    await page.getByRole('button', { name: 'Descartar' }).click()
  })
})

describe('before anything else', () => {
  const widths = inFullAlso([1440], [390])
  test.each(widths)('a password chosen by somebody else is replaced, at %i px', async (width) => {
    const admin = await colleague('admin')
    await admin.stayConfirmed(password)
    const username = `dada-${Date.now()}`
    const given = `${password}-dada`
    const body = { username, name: newName(), email: `${username}@teste.example`, password: given }
    await admin.call('POST', '/api/users', body)
    const context = await newContext(browser, { width })
    const page = await context.newPage()
    await page.goto(url)
    await enter(page, username, given)
    await heading(page, 'Escolha sua senha')
    await expectAccessible(page)
    const fill = async (first: string, again: string) => {
      await page.getByLabel('Nova senha', { exact: true }).fill(first)
      const repeated = page.getByLabel('Repita a nova senha')
      await repeated.fill(again)
      // The button moves while what is typed is judged.
      await repeated.press('Enter')
    }
    await fill('cobre-janela', 'cobre-porta')
    await refusal(page.getByText('As senhas não são iguais'))
    await fill(given, given)
    await page.getByText('Escolha uma senha diferente da atual.').waitFor()
    await page.reload()
    await heading(page, 'Escolha sua senha')
    await page.getByRole('button', { name: 'Salvar e entrar' }).waitFor()
    await fill('cobre-janela-milho', 'cobre-janela-milho')
    await heading(page, 'Dashboard')
  })

  testInFull('the second factor is set up where it is required, which administrators decide', async () => {
    const page = await signedIn('admin')
    await page.goto(`${url}/permissions`)
    const setDuty = async () => {
      await page.getByRole('button', { name: 'Verificação em duas etapas' }).click()
      const duties = dialog(page, 'Verificação em duas etapas')
      await duties.getByRole('switch', { name: 'Operador' }).click()
      await expectAccessibleState(page)
      await duties.getByRole('button', { name: 'Salvar' }).click()
      await toast(page, 'Verificação em duas etapas atualizada').waitFor()
    }
    const { username } = await newAccount()
    await setDuty()
    const context = await newContext(browser)
    const theirs = await context.newPage()
    await theirs.goto(url)
    await enter(theirs, username, password)
    await heading(theirs, 'Verificação em duas etapas')
    await setDuty()
    await expectAccessible(theirs)
    const { code } = await codeOn(theirs)
    await theirs.getByLabel('Código', { exact: true }).fill(code)
    await theirs.getByRole('button', { name: 'Confirmar' }).click()
    await theirs.getByRole('checkbox', { name: 'Guardei os códigos em lugar seguro' }).check()
    await theirs.getByRole('button', { name: 'Concluir' }).click()
    await heading(theirs, 'Dashboard')
  })
})

testInFull('an administrator ends the sessions of a user, and resets a lost second factor', async () => {
  const { name, username } = await newAccount()
  const person = await Colleague.signIn(url, username, password)
  const { secret } = await person.call<{ secret: string }>('POST', '/api/profile/second-factor')
  await person.call('PUT', '/api/profile/second-factor', {
    code: new TOTP({ secret: Secret.fromBase32(secret) }).generate(),
  })
  const page = await signedIn('admin')
  await page.goto(`${url}/users?search=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Editar ${name}` }).click()
  const access = dialog(page, 'Editar Usuário').getByRole('region', { name: 'Acesso' })
  await access.getByRole('list', { name: 'Sessões abertas' }).waitFor()
  await expectAccessibleState(page)
  await access.getByRole('button', { name: `Redefinir a verificação de ${name}` }).click()
  await toast(page, 'Verificação em duas etapas desativada').waitFor()
  await access.getByText('Nenhuma sessão aberta').waitFor()
  await access.getByText('Desativada').waitFor()
  await isEnded(person)
})
