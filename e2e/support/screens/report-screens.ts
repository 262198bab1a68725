import type { Screen } from './screen.ts'

/** The reports. */
export const reportScreens: readonly Screen[] = [
  {
    name: 'relatorios',
    heightPx: 1500,
    async open(page, url) {
      await page.goto(`${url}/reports?period=month`)
      await page.getByRole('rowheader', { name: 'Ana Beatriz Nogueira' }).first().waitFor()
    },
  },
  {
    name: 'relatorios-conversas',
    heightPx: 2000,
    async open(page, url) {
      await page.goto(`${url}/reports?period=month&figure=first_reply`)
      await page.getByRole('columnheader', { name: 'No expediente' }).waitFor()
    },
  },
  {
    name: 'relatorios-vazio',
    async open(page, url) {
      await page.goto(`${url}/reports?period=month&startDate=2020-02-01`)
      await page.getByText('Nenhuma conversa no período').waitFor()
    },
  },
]
