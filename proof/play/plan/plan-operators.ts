import { type DayMs, hourMs, isWithin, minuteMs, secondMs, type Stretch } from './day.ts'
import type { Dice } from './dice.ts'

/** A period of an operator's presence. Between two of them there is no browser. */
export interface Shift extends Stretch {
  /** 'away': connected, and set to 'Ausente'. */
  state: 'online' | 'away'
  /** Whether the operator returns the conversations to the queue on leaving. */
  leaves: 'hands over' | 'keeps his own' | undefined
}

export interface OperatorPlan {
  username: string
  shifts: Shift[]
  /** The durations between actions, used cyclically. */
  thinkMs: number[]
}

/** The shift at a time; undefined if the operator is absent. */
export const shiftAt = ({ shifts }: OperatorPlan, at: DayMs): Shift | undefined =>
  shifts.find((shift) => isWithin(at, shift))

const names = ['ana', 'bruno', 'carla', 'davi', 'elisa', 'fabio', 'gilda', 'heitor']

/** From about nine to about half past six, with an hour of lunch at a random time, and pauses. */
export function planOperators(count: number, dice: Dice): OperatorPlan[] {
  return Array.from({ length: count }, (_, n) => {
    const comesMs = dice.between(0.7 * hourMs, 1.4 * hourMs)
    const lunchMs = dice.between(3.5 * hourMs, 5.5 * hourMs)
    const goesMs = dice.between(9.8 * hourMs, 10.6 * hourMs)
    return {
      username: names[n] ?? `operador${n + 1}`,
      shifts: [
        ...withPause(comesMs, lunchMs, dice),
        ...withPause(lunchMs + dice.between(50 * minuteMs, 70 * minuteMs), goesMs, dice),
      ],
      thinkMs: Array.from({ length: 60 }, () => dice.between(25 * secondMs, 140 * secondMs)),
    }
  })
}

/** Adds an absence of some minutes in the middle. */
function withPause(fromMs: DayMs, toMs: DayMs, dice: Dice): Shift[] {
  const pausesMs = dice.between(fromMs + 20 * minuteMs, toMs - 50 * minuteMs)
  const comesBackMs = pausesMs + dice.between(5 * minuteMs, 25 * minuteMs)
  const stays = { state: 'online', leaves: undefined } as const
  return [
    { ...stays, fromMs, toMs: pausesMs },
    { fromMs: pausesMs, toMs: comesBackMs, state: 'away', leaves: undefined },
    {
      ...stays,
      fromMs: comesBackMs,
      toMs,
      leaves: dice.is(0.5) ? 'hands over' : 'keeps his own',
    },
  ]
}
