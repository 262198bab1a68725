import * as z from 'zod/mini'

// When the console is quiet. Apart from the settings, since each person has their own, too.

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use o formato hh:mm, como 22:00'))
const weekdays = z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.maxLength(7))

/**
 * 'closed': outside of the installation's opening hours. 'hours': at these times. What belongs to another
 * mode than the chosen one is kept, and has no effect.
 */
export const silenceModes = ['off', 'closed', 'hours'] as const

export const silentHours = z
  .object({
    mode: z.enum(silenceModes),
    /** Local times. An end before the start is on the next day. */
    start: time,
    end: time,
    /** The days on which these times begin; 0 is Sunday. */
    days: weekdays,
    /** Days that are quiet from midnight to midnight. */
    daysOff: weekdays,
    /** Whether a mention is announced all the same. */
    mentions: z.boolean(),
  })
  .check(
    z.check(({ value: { mode, start, end, days, daysOff }, issues }) => {
      if (mode !== 'hours') return
      if (days.length + daysOff.length === 0)
        issues.push({ code: 'custom', message: 'Escolha pelo menos um dia', path: ['days'], input: days })
      if (days.length > 0 && start === end)
        issues.push({
          code: 'custom',
          message: 'O fim é igual ao início; para o dia inteiro, marque-o como dia de folga',
          path: ['end'],
          input: end,
        })
    }),
  )
export type SilentHours = z.infer<typeof silentHours>
