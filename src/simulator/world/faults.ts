import type { FaultName, SendAnswer } from '#simulator/control-api.ts'
import type { Random } from '#simulator/random.ts'
import type { State } from './state.ts'

/** The planned outcome of one send call. */
export interface SendPlan {
  /** Undefined: the usual 201. */
  answer: { status: number; body: unknown } | undefined
  isDelivered: boolean
  isStored: boolean
  echo: 'early' | 'late' | 'never'
  hangMs: number
  copies: number
  acks: 'normal' | 'none' | 'error'
  /** Where the connection is closed. */
  cut: 'before' | 'within' | undefined
  /** The responsible fault as the page names it; undefined when all is well. */
  cause: string | undefined
}

/** Titles of the faults as the page shows them. */
export const faultTitles: Record<FaultName, string> = {
  dropWebhook: 'Perder webhook',
  duplicateWebhook: 'Duplicar webhook',
  reorderWebhook: 'Trocar a ordem',
  delayAcks: 'Atrasar confirmações',
  answer500: 'Responder 500',
  timeoutDelivered: 'Demora, entregue',
  timeoutNotDelivered: 'Demora, não entregue',
  failMedia: 'Perder mídia',
  disconnect: 'Desconectar o número',
  lidOnly: 'Somente LID',
}

function errorBody(status: number, message: unknown) {
  return {
    status,
    error: status === 400 ? 'Bad Request' : 'Internal Server Error',
    response: { message },
  }
}

const plain: SendPlan = {
  answer: undefined,
  isDelivered: true,
  isStored: true,
  echo: 'late',
  hangMs: 0,
  copies: 1,
  acks: 'normal',
  cut: undefined,
  cause: undefined,
}

function scripted(script: SendAnswer): SendPlan {
  const isFine = script.status === undefined || script.status < 300
  const isDelivered = script.delivered ?? isFine
  const echo = script.echo ?? (isDelivered ? 'late' : 'never')
  const body = script.body ?? errorBody(script.status ?? 500, 'Scripted by the simulator')
  return {
    answer: isFine && script.body === undefined ? undefined : { status: script.status ?? 201, body },
    isDelivered,
    isStored: script.stored ?? (isFine || echo !== 'never'),
    echo,
    hangMs: script.hangMs ?? 0,
    copies: script.copies ?? 1,
    acks: script.acks ?? (isDelivered ? 'normal' : 'none'),
    cut: script.cut,
    cause: 'Roteiro de respostas',
  }
}

/**
 * Decides which faults occur. A scripted answer overrides the switches; otherwise they are evaluated in a
 * fixed order, each drawing once from the seeded generator, only while it is on.
 */
export function createFaultInjector(state: State, random: Random) {
  const scripts: SendAnswer[] = []
  const scriptsByText = new Map<string, SendAnswer[]>()
  const occurs = (fault: { on: boolean; oneIn: number }) => fault.on && random() * fault.oneIn < 1

  function planFromSwitches(): SendPlan {
    const { answer500, timeoutDelivered, timeoutNotDelivered } = state.faults
    if (occurs(answer500)) {
      const { delivered, echo } = answer500
      const answer = { status: 500, body: errorBody(500, 'Internal Server Error') }
      const cause = faultTitles.answer500
      if (delivered) return { ...plain, answer, echo, isStored: echo !== 'never', cause }
      return { ...plain, answer, isDelivered: false, isStored: false, echo: 'never', acks: 'none', cause }
    }
    if (occurs(timeoutDelivered)) {
      const { hangMs, echo } = timeoutDelivered
      return { ...plain, hangMs, echo, isStored: echo !== 'never', cause: faultTitles.timeoutDelivered }
    }
    if (occurs(timeoutNotDelivered)) {
      const answer = { status: 400, body: errorBody(400, ['Error: Timed Out']) }
      const cause = faultTitles.timeoutNotDelivered
      const { hangMs } = timeoutNotDelivered
      return {
        ...plain,
        answer,
        isDelivered: false,
        isStored: false,
        echo: 'never',
        hangMs,
        acks: 'none',
        cause,
      }
    }
    return plain
  }

  return {
    script: (answers: SendAnswer[]) => {
      for (const answer of answers) {
        if (answer.text === undefined) scripts.push(answer)
        else scriptsByText.set(answer.text, [...(scriptsByText.get(answer.text) ?? []), answer])
      }
    },
    clearScript: () => {
      scripts.length = 0
      scriptsByText.clear()
    },
    planSend: (text: string): SendPlan => {
      const next = scriptsByText.get(text)?.shift() ?? scripts.shift()
      return next ? scripted(next) : planFromSwitches()
    },
    /** Whether this fault occurs for an event. */
    hitsWebhook: (name: 'dropWebhook' | 'duplicateWebhook' | 'reorderWebhook', event: string): boolean => {
      const fault = state.faults[name]
      if (fault.events.length > 0 && !fault.events.includes(event)) return false
      return occurs(fault)
    },
    hitsMedia: () => occurs(state.faults.failMedia),
    /** ±20 %, as Evolution jitters its retries. */
    jitter: (ms: number) => Math.round(ms * (0.8 + 0.4 * random())),
  }
}
export type FaultInjector = ReturnType<typeof createFaultInjector>
