import type { SendAnswer } from '#simulator/control-api.ts'

/** Longer than `sendTimeoutMs`. */
const hangMs = 1500
export const sendTimeoutMs = 500

const timedOut = { status: 400, error: 'Bad Request', response: { message: ['Error: Timed Out'] } }
const failed = { status: 500, error: 'Internal Server Error', response: { message: ['Error: Internal'] } }
const page = (title: string) => `<html><head><title>${title}</title></head><body>nginx</body></html>`
const exists = { jid: '5511900000000@s.whatsapp.net', exists: false, number: '5511900000000' }

/** Answers with the bodies of Evolution 2.3.7, Express, nginx and Cloudflare. */
const answers: Record<string, SendAnswer> = {
  '201 at once': {},
  '201 slow': { hangMs: 200 },
  'no answer in time': { hangMs },
  'cut before': { cut: 'before' },
  'cut within': { cut: 'within' },
  '400 Timed Out': { status: 400, body: timedOut },
  '400 exists:false': { status: 400, body: { status: 400, response: { message: [exists] } } },
  '401': { status: 401, body: { status: 401, response: { message: 'Unauthorized' } } },
  '404': { status: 404, body: { response: { message: ['The "loja1" instance does not exist'] } } },
  '408': { status: 408, body: page('408 Request Time-out') },
  '413': { status: 413, body: page('413 Request Entity Too Large') },
  '429': { status: 429, body: { error: 'Too Many Requests' } },
  '500': { status: 500, body: failed },
  '502': { status: 502, body: page('502 Bad Gateway') },
  '503': { status: 503, body: '' },
  '504': { status: 504, body: page('504 Gateway Time-out') },
  '200 without id': { status: 200, body: { status: 'PENDING' } },
  '200 HTML': { status: 200, body: page('Login') },
}

/** What really happened to the message. */
interface Behind {
  delivered: boolean
  echo: 'early' | 'late' | 'never'
  stored: boolean
}

export interface Case extends Behind {
  answer: string
  /** How often the gateway behaves like this before it works normally. */
  times: number
  script: SendAnswer
}

/** The gateway sends the message twice, with different ids. */
const copied: Record<string, SendAnswer> = {
  '201, 2 copies': { copies: 2 },
  'late, 2 copies': { copies: 2, hangMs },
}

const provesItself = new Set(['201 at once', '201 slow'])
/** After this error Evolution neither stores nor echoes the message, whether or not it arrived. */
const silent = '400 Timed Out'

/**
 * All possible combinations, except two: an answer 201 without a send, and a message that arrived without
 * echo and without record, which cannot be distinguished from one that did not arrive (`lying` includes it).
 * `copies` adds gateways that send twice.
 */
export function allCases({ lying, copies }: { lying: boolean; copies: boolean }): Case[] {
  const cases: Case[] = []
  const add = (answer: string, behind: Behind, times = 1) => {
    const acks = behind.delivered ? 'normal' : behind.stored ? 'error' : 'none'
    cases.push({
      answer,
      ...behind,
      times,
      script: { ...answers[answer], ...copied[answer], ...behind, acks },
    })
  }
  if (copies)
    for (const answer of Object.keys(copied))
      for (const echo of ['early', 'late'] as const) add(answer, { delivered: true, echo, stored: true })
  for (const answer of Object.keys(answers)) {
    const isSure = provesItself.has(answer)
    for (const echo of ['early', 'late', 'never'] as const) {
      add(answer, { delivered: true, echo, stored: true })
      if (echo !== 'never' || isSure || lying || answer === silent)
        add(answer, { delivered: true, echo, stored: false })
      // WhatsApp refuses a message that the gateway accepted.
      add(answer, { delivered: false, echo, stored: true })
    }
    if (isSure) continue
    add(answer, { delivered: false, echo: 'never', stored: false })
    add(answer, { delivered: false, echo: 'never', stored: false }, 4)
  }
  return cases
}

/** The row of the table in which a case is counted. */
export function nameOf({ answer, delivered, echo, stored, times }: Case): string {
  const echoes = { early: 'echo before', late: 'echo after', never: 'no echo' }
  const arrived = delivered ? 'delivered' : times > 1 ? `no, ${times} times` : 'no'
  return [
    answer.padEnd(20),
    arrived.padEnd(14),
    echoes[echo].padEnd(11),
    stored ? 'recorded' : 'no record',
  ].join(' │ ')
}
