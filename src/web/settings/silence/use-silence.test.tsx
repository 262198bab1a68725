// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { SilentHours } from '#shared/settings/silent-hours.ts'
import type { Me } from '#shared/users/users.ts'
import { testSettings } from '#web/settings/form/test-settings.ts'
import { settingsQueries } from '#web/settings/form/queries.ts'
import { inApp } from '#web/users/test-app.tsx'
import { MeContext } from '#web/users/me-context.ts'
import { useSilence, useSilenceWords } from './use-silence.ts'

const always: SilentHours = {
  mode: 'hours',
  start: '22:00',
  end: '07:00',
  days: [],
  daysOff: [0, 1, 2, 3, 4, 5, 6],
  mentions: false,
}
const never: SilentHours = { ...always, mode: 'off' }

beforeEach(() => vi.stubGlobal('fetch', () => new Promise<never>(() => undefined)))

function Shown() {
  const silence = useSilence()(0)
  const words = useSilenceWords()
  const state = silence === undefined ? 'loud' : silence === null ? 'unknown' : 'quiet'
  return <p>{`${state}: ${words}`}</p>
}

function show(own: SilentHours | null, team: SilentHours | undefined) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })
  if (team)
    client.setQueryData(settingsQueries.system().queryKey, {
      ...testSettings,
      silentHours: team,
      isOpenNow: true,
      changesAt: null,
      version: 1,
    })
  render(
    <MeContext value={{ id: 7, silentHours: own } as Me}>
      <Shown />
    </MeContext>,
    { wrapper: inApp(client) },
  )
}
const shows = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeDefined())

test('silent hours of the team hold for whoever has none of their own', async () => {
  show(null, always)
  await shows('quiet: Horário silencioso')
})

test('silent hours of a person win over those of the team, either way', async () => {
  show(never, always)
  await shows('loud: undefined')
  document.body.replaceChildren()
  show(always, never)
  await shows('quiet: Horário silencioso')
})

test('nothing may sound while it is not known whether silent hours are on', async () => {
  show(null, undefined)
  await shows('unknown: undefined')
})
