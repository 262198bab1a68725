// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Flags, flags } from '#shared/permissions.ts'
import type { MediaSettings } from '#shared/settings/settings-endpoints.ts'
import { testSettings } from '#web/settings/form/test-settings.ts'
import { sectorQueries } from '#web/sectors/sectors.tsx'
import { testSector } from '#web/sectors/test-sectors.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { HoursTab } from '#web/settings/hours/hours-tab.tsx'
import { DayTab } from '#web/settings/day-tab.tsx'
import { MediaPanel } from '#web/settings/media-panel.tsx'
import { AutomaticMessages } from '#web/settings/messages/automatic-messages.tsx'
import { MessagesTab } from '#web/settings/messages/messages-tab.tsx'
import { PreAttendanceTab } from '#web/settings/messages/pre-attendance-tab.tsx'
import { QueueTab } from '#web/settings/queue-tab.tsx'
import { SettingsAdvancedScreen } from '#web/settings/settings-advanced-screen.tsx'
import { SettingsScreen } from '#web/settings/settings-screen.tsx'
import { SilentHoursFields } from '#web/users/silence/silent-hours-fields.tsx'
import { inApp } from '#web/users/test-app.tsx'
import { type PlaceId, settingsIndex } from './settings-index.ts'

const settings = { ...testSettings, lunchBreak: { enabled: true, start: '12:00', end: '13:00' } }

const media: MediaSettings = {
  id: 1,
  maxFileSize: 10_485_760,
  allowedImageTypes: [],
  allowedVideoTypes: [],
  allowedAudioTypes: [],
  allowedDocumentTypes: [],
  blockedFileMessage: 'Texto',
  createdAt: '2026-11-19T12:00:00.000Z',
  updatedAt: '2026-11-19T12:00:00.000Z',
}

let isWide: boolean
beforeEach(() => {
  isWide = true
  window.history.pushState(null, '', '/settings-advanced?aba=fila')
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined))
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
})

function show(
  children: ReactNode,
  role: 'admin' | 'supervisor' = 'admin',
  may: readonly string[] = flags,
  more: object = {},
) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const known = { ...settings, ...more, isOpenNow: true, changesAt: null, version: 4 }
  client.setQueryData(settingsQueries.system().queryKey, known)
  client.setQueryData(settingsQueries.media().queryKey, media)
  // With two of them their menu is offered.
  client.setQueryData(
    sectorQueries.known().queryKey,
    [1, 2].map((id) => testSector(id)),
  )
  const permissions = Object.fromEntries(may.map((flag) => [flag, true])) as Partial<Flags>
  return render(children, { wrapper: inApp(client, { id: 1, name: 'Eu', role, permissions }) })
}

describe('the index of the settings', () => {
  /** Labels of what a person adds, of which there may be none, and of days. */
  const notSettings = /^(Seg|Ter|Qua|Qui|Sex|Sáb|Dom)/

  const switchedOn = {
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([key, value]) => (value === false ? [[key, true]] : [])),
    ),
    silentHours: { ...settings.silentHours, mode: 'hours' },
  }
  /** The sections that are shown, with the labels in them. */
  const shownIn = (container: HTMLElement) =>
    [...container.querySelectorAll('section')]
      .filter(({ parentElement }) => !parentElement?.closest('section'))
      .map((section) => ({
        section: section.getAttribute('aria-label'),
        labels: [...section.querySelectorAll('label')]
          .map((label) => label.textContent.trim().replace(/Protegido$/, ''))
          .filter((label) => !notSettings.test(label)),
      }))

  test.each<[PlaceId, ReactNode]>([
    ['automaticas', <AutomaticMessages key="" />],
    ['horario', <HoursTab key="" />],
    ['dia', <DayTab key="" fields={SilentHoursFields} />],
    ['midia', <MediaPanel key="" />],
    ['mensagens', <MessagesTab key="" />],
    ['fila', <QueueTab key="" />],
    ['pre-atendimento', <PreAttendanceTab key="" />],
  ])('the index of the settings has what %s shows, and nothing else', (place, part) => {
    const off = shownIn(show(part).container)
    cleanup()
    const on = shownIn(show(part, 'admin', flags, switchedOn).container)
    const entries = settingsIndex.filter((entry) => entry.place === place)
    const sections = entries.filter(({ label }) => label === undefined).map(({ section }) => section)
    for (const shown of [off, on]) {
      const indexed = sections.map((section) => ({
        section,
        labels: entries.flatMap((entry) => {
          if (entry.section !== section || entry.label === undefined) return []
          const has = (label: string) =>
            shown.some((one) => one.section === section && one.labels.includes(label))
          // What one state of a switch hides leads to the switch.
          return entry.behind === undefined || has(entry.label) || !has(entry.behind) ? [entry.label] : []
        }),
      }))
      expect(indexed).toEqual(shown)
    }
    // Nothing is said to be hidden that is always shown.
    const always = (label: string) =>
      [off, on].every((shown) => shown.some(({ labels }) => labels.includes(label)))
    expect(entries.filter(({ label, behind }) => label && behind && always(label))).toEqual([])
  })

  test('a found setting that is hidden leads to the switch that shows it', async () => {
    window.history.pushState(null, '', '/settings-advanced?aba=pre-atendimento')
    show(<SettingsAdvancedScreen categories={<p>Categorias daqui</p>} silentHours={SilentHoursFields} />)
    const find = (typed: string) => {
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: typed } })
      fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' })
    }
    find('pergunta do menu')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Menu de setores')))
    fireEvent.click(screen.getByLabelText('Menu de setores'))
    find('oferecer 0')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Oferecer 0 - Cancelar')))
    find('ao escolher 2')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Menu de setores')))
  })
})

describe('the frame of the settings', () => {
  const advanced = () =>
    show(<SettingsAdvancedScreen categories={<p>Categorias daqui</p>} silentHours={SilentHoursFields} />)
  const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
  const search = (typed: string) =>
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: typed } })

  test('the frame of the settings has the same list on both screens', () => {
    const { unmount } = advanced()
    screen.getByRole('heading', { level: 1, name: 'Configurações Avançadas' })
    const list = tabs()
    expect(list).toEqual([
      'Usuário',
      'Mensagens automáticas',
      'Categorias',
      'Respostas e macros',
      'Pausas',
      'Motivos',
      'Etiquetas',
      'SLA',
      'Horário',
      'Dia de trabalho',
      'Mídia',
      'Mensagens',
      'Fila',
      'Pré-atendimento',
      'IA',
      'Evolution API',
      'Pedidos de titulares',
    ])
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Fila')
    unmount()
    window.history.pushState(null, '', '/settings?aba=midia')
    show(<SettingsScreen />)
    screen.getByRole('heading', { level: 1, name: 'Configurações' })
    expect(tabs()).toEqual(list)
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Mídia')
    fireEvent.mouseDown(screen.getByRole('tab', { name: 'Horário' }))
    expect(location.pathname + location.search).toBe('/settings-advanced?aba=horario')
  })

  test('the frame of the settings shows a supervisor only what they may see', () => {
    window.history.pushState(null, '', '/settings')
    show(<SettingsScreen />, 'supervisor', ['canViewSettings'])
    expect(tabs()).toEqual(['Usuário', 'Mensagens automáticas', 'Respostas e macros', 'Mídia'])
    search('almoço')
    screen.getByText('Nenhuma configuração encontrada')
  })

  test('a found setting is shown with the focus on its field, at another part or the same', async () => {
    advanced()
    search('limite')
    expect(screen.queryByRole('tab')).toBeNull()
    const results = within(screen.getByRole('list', { name: 'Configurações encontradas' }))
    fireEvent.click(results.getByRole('link', { name: /^Limite por operador/ }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Limite por operador')))
    expect(tabs()).toContain('Fila')
    search('desfazer envio')
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' })
    await waitFor(() => expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Mensagens'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Desfazer envio')))
  })

  test('the search over the settings is left with Escape', () => {
    advanced()
    search('limite')
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' })
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
    expect(tabs()).toContain('Usuário')
  })
})
