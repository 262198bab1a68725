import { hourOf } from './calendar.ts'

/** How each operator of the demo works, different enough to show in the reports. Delays in seconds. */
export interface Habit {
  username: string
  /** The name clients use. */
  name: string
  isWoman: boolean
  /** Weight among all conversations. */
  share: number
  /** Takes conversations between these hours. */
  from: number
  until: number
  /** Typical delay of the first and of each later answer, and their spread. */
  firstSeconds: number
  nextSeconds: number
  spread: number
  /** From the last message to completing the conversation. */
  closingSeconds: number
  style: 'short' | 'plain' | 'thorough'
  /** Share of later answers written on the connected phone. */
  phoneShare: number
  /** Share of conversations that this operator starts. */
  startsShare: number
  /** Weights of the ratings 1 to 5. */
  ratings: readonly [number, number, number, number, number]
}

const usual = {
  from: 8,
  until: 18.5,
  spread: 0.6,
  closingSeconds: 240,
  style: 'plain',
  phoneShare: 0.01,
  startsShare: 0.06,
} as const

export const habits: readonly Habit[] = [
  {
    ...usual,
    username: 'ana',
    name: 'Ana',
    isWoman: true,
    share: 31,
    firstSeconds: 55,
    nextSeconds: 48,
    spread: 0.5,
    closingSeconds: 90,
    style: 'short',
    ratings: [2, 4, 12, 40, 42],
  },
  {
    ...usual,
    username: 'bruno',
    name: 'Bruno',
    isWoman: false,
    share: 15,
    until: 16.5,
    firstSeconds: 640,
    nextSeconds: 330,
    closingSeconds: 500,
    style: 'thorough',
    ratings: [0, 1, 2, 15, 82],
  },
  {
    ...usual,
    username: 'carla',
    name: 'Carla',
    isWoman: true,
    share: 34,
    from: 12.5,
    firstSeconds: 190,
    nextSeconds: 150,
    spread: 0.35,
    ratings: [1, 2, 9, 36, 52],
  },
  {
    ...usual,
    username: 'diego',
    name: 'Diego',
    isWoman: false,
    share: 11,
    until: 15,
    firstSeconds: 1500,
    nextSeconds: 720,
    closingSeconds: 5400,
    style: 'short',
    phoneShare: 0.03,
    ratings: [22, 24, 26, 18, 10],
  },
  {
    ...usual,
    username: 'elisa',
    name: 'Elisa',
    isWoman: true,
    share: 17,
    firstSeconds: 300,
    nextSeconds: 240,
    phoneShare: 0.34,
    startsShare: 0.5,
    ratings: [2, 4, 14, 38, 42],
  },
  {
    ...usual,
    username: 'supervisora',
    name: 'Heloísa',
    isWoman: true,
    share: 2,
    firstSeconds: 400,
    nextSeconds: 260,
    style: 'thorough',
    ratings: [1, 2, 8, 34, 55],
  },
  {
    ...usual,
    username: 'admin',
    name: 'Marina',
    isWoman: true,
    share: 1,
    firstSeconds: 500,
    nextSeconds: 300,
    startsShare: 0.2,
    ratings: [1, 2, 10, 40, 47],
  },
]

/** Whether somebody takes conversations at this time. */
export const isThere = ({ from, until }: Habit, at: Date): boolean => hourOf(at) >= from && hourOf(at) < until
