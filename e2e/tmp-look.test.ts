import { test } from 'vitest'
import { signedIn, url } from './support/stage.ts'
const out = '/tmp/look'
test('look', async () => {
  for (const [w, h] of [[1440, 900], [390, 844]] as const)
    for (const theme of ['light', 'dark'] as const) {
      const page = await signedIn('admin', { width: w, height: h })
      await page.emulateMedia({ colorScheme: theme })
      await page.goto(`${url}/`)
      await page.evaluate((t) => { document.documentElement.dataset['theme'] = t; localStorage.setItem('theme', t) }, theme)
      await page.goto(`${url}/settings-advanced?aba=pausas`)
      await page.waitForTimeout(1200)
      await page.screenshot({ path: `${out}/pausas-${theme}-${w}.png`, fullPage: true })
      const edit = page.getByRole('button', { name: 'Editar Almoço' })
      if (await edit.count()) { await edit.click(); await page.waitForTimeout(400); await page.screenshot({ path: `${out}/pausas-form-${theme}-${w}.png` }) }
      await page.goto(`${url}/jornada`)
      await page.waitForTimeout(800)
      await page.getByRole('button', { name: 'Período anterior' }).click()
      await page.waitForTimeout(600)
      if (await page.getByText('Ninguém entrou').count()) { await page.getByRole('button', { name: 'Período anterior' }).click(); await page.waitForTimeout(500); await page.getByRole('button', { name: 'Período anterior' }).click() ; await page.waitForTimeout(500) }
      await page.screenshot({ path: `${out}/jornada-${theme}-${w}.png`, fullPage: true })
      await page.getByRole('button', { name: /^Registros de Carla/ }).click()
      await page.waitForTimeout(700)
      await page.getByRole('button', { name: 'Corrigir', exact: true }).nth(1).click()
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${out}/jornada-aberta-${theme}-${w}.png`, fullPage: true })
      await page.goto(`${url}/jornada?period=week`)
      await page.waitForTimeout(900)
      const days = page.getByRole('button', { name: /^Dias de Ana/ })
      if (await days.count()) await days.click()
      await page.waitForTimeout(500)
      await page.screenshot({ path: `${out}/jornada-semana-${theme}-${w}.png`, fullPage: true })
      await page.goto(`${url}/`)
      if (w < 700) await page.getByRole('button', { name: 'Abrir menu' }).click()
      await page.getByRole('button', { name: /^Presença/ }).first().click()
      await page.waitForTimeout(700)
      await page.screenshot({ path: `${out}/menu-${theme}-${w}.png` })
      await page.getByRole('menuitemradio', { name: /Almoço/ }).click()
      await page.waitForTimeout(700)
      await page.screenshot({ path: `${out}/pausa-${theme}-${w}.png` })
      await page.request.put(`${url}/api/profile/presence`, { data: { state: 'available' } }).catch(() => undefined)
      await page.close()
    }
}, 240_000)
