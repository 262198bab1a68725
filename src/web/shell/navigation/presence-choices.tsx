import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Moon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { PauseNow } from '#shared/users/users.ts'
import { zonedDates } from '#shared/text/time/zoned-dates.ts'
import type { PauseReason } from '#shared/workday/pauses.ts'
import { listTimesheets } from '#shared/workday/timesheets.ts'
import { call } from '#web/platform/api/api.ts'
import { serverNow } from '#web/platform/live/server-clock.ts'
import { settingsQueries } from '#web/settings/settings.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { MenuChoice, MenuItem, MenuLine } from '#web/ui/overlays/menu.tsx'
import { PauseIcon } from '#web/ui/badges/pause-icon.tsx'
import { pauseQuery, useMe, useOwnPresence, usePauseClock } from '#web/users/users.tsx'
import { Dot } from './presence-menu.tsx'

/** What a person can be: available, in one of the pauses, away. */
export function PresenceChoices() {
  const { isAway, pause, choose } = useOwnPresence()
  const { data: reasons = [] } = useQuery(pauseQuery)
  const [, navigate] = useLocation()
  const { id } = useMe()
  const offered = reasons.filter(({ id, isActive }) => isActive || id === pause?.reasonId)
  const available = { value: 'available', label: <Named mark={<Dot look="bg-green" />} name="Disponível" /> }
  if (offered.length === 0)
    return (
      <MenuChoice
        label="Presença"
        options={[
          available,
          { value: 'away', label: <Named mark={<Dot look="bg-amber" />} name="Ausente" /> },
        ]}
        value={isAway ? 'away' : 'available'}
        onChoose={(next) => choose(next === 'away' ? 'away' : 'available')}
      />
    )
  return (
    <>
      <MenuChoice
        label="Presença"
        groups={[
          { options: [{ ...available, hint: 'recebe da fila' }] },
          {
            label: 'Pausas',
            options: offered.map((reason) => ({
              value: String(reason.id),
              label: (
                <Named
                  mark={<PauseIcon icon={reason.icon} className="flex-none text-ink-2" />}
                  name={reason.name}
                />
              ),
              hint: reason.id === pause?.reasonId ? <RunningTime pause={pause} /> : hintOf(reason),
            })),
          },
          {
            options: [
              {
                value: 'away',
                label: <Named mark={<Moon size={16} aria-hidden className="text-ink-2" />} name="Ausente" />,
                hint: 'não recebe novas',
              },
            ],
          },
        ]}
        value={pause ? String(pause.reasonId) : isAway ? 'away' : 'available'}
        onChoose={(next) => {
          const reason = offered.find(({ id }) => String(id) === next)
          choose(reason ?? (next === 'away' ? 'away' : 'available'))
        }}
      />
      <MenuLine />
      <MenuItem icon={CalendarClock} leadsElsewhere onSelect={() => navigate(`/jornada?userId=${id}`)}>
        Minha jornada
      </MenuItem>
      <p className="px-2 pt-1 pb-1.5 text-xs text-ink-2 max-md:hidden">
        Também em <KeyCap>Ctrl K</KeyCap>, ‘Pausa’.
      </p>
      <Today />
    </>
  )
}

/** 'Hoje: disponível 3 h 12 min, pausas 45 min' */
function Today() {
  const { id: userId } = useMe()
  const { data: settings } = useQuery(settingsQueries.system())
  const zone = settings?.timezone
  const day = zone && zonedDates(zone).day(serverNow())
  const { data } = useQuery({
    queryKey: ['timesheets', 'today', userId, day],
    queryFn: ({ signal }) =>
      call(listTimesheets, { query: { userId, startDate: day ?? '', endDate: day ?? '' }, signal }),
    enabled: day !== undefined,
    refetchInterval: 60_000,
  })
  const sheet = data?.sheets[0]
  // Its place is kept, since the menu has been measured.
  const words = sheet
    ? [
        `Hoje: disponível ${timeText(sheet.available)}`,
        `pausas ${timeText(sheet.paused)}`,
        ...(sheet.counted > 0 ? [`pausas que contam ${timeText(sheet.counted)}`] : []),
      ].join(', ')
    : '\u00a0'
  return <p className="px-2 pb-1.5 text-xs text-ink-2 tabular-nums">{words}</p>
}

/** '3 h 12 min', '45 min' */
function timeText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`
}

function hintOf({ limitMinutes, countsAsWork }: PauseReason): string | undefined {
  if (limitMinutes !== null) return `${limitMinutes} min`
  return countsAsWork ? 'conta como trabalho' : undefined
}

function RunningTime({ pause }: { pause: PauseNow }) {
  const { text, tone } = usePauseClock(pause)
  const look = { fine: '', near: 'text-amber-text', over: 'text-red-text' }[tone]
  return <span className={`font-semibold tabular-nums ${look}`}>{text}</span>
}

function Named({ mark, name }: { mark: ReactNode; name: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      {mark}
      <span className="truncate">{name}</span>
    </span>
  )
}
