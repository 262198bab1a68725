import * as z from 'zod/mini'

/** The time zones to choose from, by IANA name, with their displayed names. @see specification §9 */
export const timeZones = {
  'America/Sao_Paulo': 'São Paulo',
  'America/Manaus': 'Manaus',
  'America/Rio_Branco': 'Rio Branco',
  'America/Noronha': 'Fernando de Noronha',
  'America/Recife': 'Recife',
  'America/Campo_Grande': 'Campo Grande',
  'America/Boa_Vista': 'Boa Vista',
  'America/Porto_Velho': 'Porto Velho',
  'America/New_York': 'Nova York',
  'America/Los_Angeles': 'Los Angeles',
  'Europe/London': 'Londres',
  'Europe/Paris': 'Paris',
  'Europe/Madrid': 'Madri',
  'Europe/Lisbon': 'Lisboa',
  'Asia/Tokyo': 'Tóquio',
  'Asia/Shanghai': 'Xangai',
  'America/Argentina/Buenos_Aires': 'Buenos Aires',
  'America/Santiago': 'Santiago',
  'America/Lima': 'Lima',
  'America/Bogota': 'Bogotá',
} as const
export type TimeZone = keyof typeof timeZones

/** The most characters of a text for clients. */
export const maxSettingText = 4096

/** A text of the settings, which are stored as jsonb: it allows neither NUL nor lone surrogates. */
export function settingText(maxLength = maxSettingText) {
  return z.string().check(
    z.maxLength(maxLength),
    z.refine(
      (text) => text.isWellFormed() && !text.includes('\0'),
      'O texto tem um caractere que não pode ser guardado',
    ),
  )
}

/** 'HH:MM', with hours from 00 to 23. */
function clockTime(missing: string, invalid: string) {
  const error = ({ input }: { input?: unknown }) => (input === '' ? missing : invalid)
  return z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error }))
}
const start = clockTime('Horário de início é obrigatório', 'Horário de início inválido')
const end = clockTime('Horário de fim é obrigatório', 'Horário de fim inválido')

/** Hours from midnight to midnight: the whole day. */
export const isWholeDay = ({ start: from, end: to }: { start: string; end: string }): boolean =>
  from === '00:00' && to === '00:00'

/** Other hours of no length would close the day. */
const hasLength = z.refine<{ start: string; end: string }>(
  (hours) => hours.start !== hours.end || isWholeDay(hours),
  { error: 'O fim é igual ao início; para o dia inteiro, use 00:00 a 00:00', path: ['end'] },
)

/** The times of a break; `enabled` is absent where a day has one of its own. */
interface Lunch {
  enabled?: boolean
  start: string
  end: string
}

/** A lunch break of no length would not exist, although it is switched on. */
export const lunchHasLength = z.refine<Lunch>(
  ({ enabled = true, start: from, end: to }) => !enabled || from !== to,
  { error: 'O fim é igual ao início; se não há almoço, desligue o intervalo', path: ['end'] },
)

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
/** Across midnight it may go; what would take longer than this ends before it begins. In minutes. */
const longestLunch = 12 * 60
export const lunchEndsAfter = z.refine<Lunch>(
  ({ enabled = true, start: from, end: to }) =>
    !enabled || (minutesOf(to) - minutesOf(from) + 24 * 60) % (24 * 60) <= longestLunch,
  { error: 'O almoço termina antes de começar', path: ['end'] },
)

const weekday = z.int().check(z.minimum(0), z.maximum(6))

/** A lunch break of no length, of a day that could have none. */
const dayLunchHasLength = z.refine<Lunch>(({ start: from, end: to }) => from !== to, {
  error: "O fim é igual ao início; se não há almoço, escolha 'Sem almoço'",
  path: ['end'],
})

/** A day of the week with hours of its own. It is open, whether or not the usual hours have the day. */
export const differentDay = z
  .object({
    /** 0 is Sunday. */
    day: weekday,
    start,
    end,
    /** `usual` is `lunchBreak`, if that is switched on. */
    lunch: z.union([
      z.enum(['usual', 'none']),
      z.object({ start, end }).check(dayLunchHasLength, lunchEndsAfter),
    ]),
  })
  .check(hasLength)
export type DifferentDay = z.infer<typeof differentDay>

/** Of two for one day nobody would know which counts. */
const weekdaysDiffer = z.check<DifferentDay[]>(({ value, issues }) => {
  for (const [n, { day }] of value.entries())
    if (value.findIndex((one) => one.day === day) < n)
      issues.push({
        code: 'custom',
        message: 'Este dia já tem um horário diferente',
        path: [n, 'day'],
        input: day,
      })
})

/** A date with its own hours. Without hours it is closed. */
export const scheduleException = z.object({
  /** 'YYYY-MM-DD' in local time. */
  date: z.iso.date('Data é obrigatória'),
  hours: z.nullable(z.object({ start, end }).check(hasLength)),
  /** The automatic answer while closed on that date; if empty, the usual one. */
  message: settingText(),
})
export type ScheduleException = z.infer<typeof scheduleException>

/** Of two for one date nobody would know which counts. */
const datesDiffer = z.check<ScheduleException[]>(({ value, issues }) => {
  for (const [n, { date }] of value.entries())
    if (value.findIndex((one) => one.date === date) < n)
      issues.push({ code: 'custom', message: 'Esta data já tem uma exceção', path: [n, 'date'], input: date })
})

/** Opening hours, in local time. */
export const schedule = z.object({
  workingHours: z
    .object({
      start,
      end,
      /** 0 is Sunday. */
      days: z.array(weekday).check(z.minLength(1, 'Selecione pelo menos um dia'), z.maxLength(7)),
      /**
       * Days with hours of their own, in the place of these; absent: there are none, as in all hours that
       * were stored before there could be. They belong to these hours: whose hours apply, theirs do.
       */
      differentDays: z.optional(z.array(differentDay).check(z.maxLength(7), weekdaysDiffer)),
    })
    .check(hasLength),
  lunchBreak: z.object({ enabled: z.boolean(), start, end }).check(lunchHasLength, lunchEndsAfter),
  timezone: z.enum(Object.keys(timeZones) as [TimeZone], 'Fuso horário é obrigatório'),
  scheduleExceptions: z.array(scheduleException).check(z.maxLength(400), datesDiffer),
})
export type Schedule = z.infer<typeof schedule>
