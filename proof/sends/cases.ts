import type { SendAnswer } from '#simulator/control-api.ts'

/** The gateway hangs for longer than we wait. */
const hangMs = 1500
export const sendTimeoutMs = 500

const timedOut = { status: 400, error: 'Bad Request', response: { message: ['Error: Timed Out'] } }
const closed = { status: 500, error: 'Internal Server Error', response: { message: 'Connection Closed' } }
const page = (title: string) => `<html><head><title>${title}</title></head><body>nginx</body></html>`
const exists = { jid: '5511900000000@s.whatsapp.net', exists: false, number: '5511900000000' }

/** Bodies as Evolution 2.3.7, Express, nginx and Cloudflare give them. */
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
  '500': { status: 500, body: closed },
  '502': { status: 502, body: page('502 Bad Gateway') },
  '503': { status: 503, body: '' },
  '504': { status: 504, body: page('504 Gateway Time-out') },
  '200 without id': { status: 200, body: { status: 'PENDING' } },
  '200 HTML': { status: 200, body: page('Login') },
}

/** What happened behind the answer. */
interface Behind {
  delivered: boolean
  echo: 'early' | 'late' | 'never'
  stored: boolean
}

export interface Case extends Behind {
  answer: string
  /** How often the gateway behaves so before it behaves well. */
  times: number
  script: SendAnswer
}

/** The gateway itself sends twice, each copy under an id of its own. */
const copied: Record<string, SendAnswer> = {
  '201, 2 copies': { copies: 2 },
  'late, 2 copies': { copies: 2, hangMs },
}

const provesItself = new Set(['201 at once', '201 slow'])
/** Evolution's error path writes nothing down and echoes nothing, whether or not the message arrived. */
const silent = '400 Timed Out'

/**
 * All combinations that a gateway can show. What is left out: a send that answers 201 and never happened; and
 * one that arrived without an echo, in a gateway that keeps a record and has it not there, since nobody can
 * tell it from one that did not arrive (`lying` puts it in). `copies` adds gateways that send twice.
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
      // WhatsApp refuses what the gateway took.
      add(answer, { delivered: false, echo, stored: true })
    }
    if (isSure) continue
    add(answer, { delivered: false, echo: 'never', stored: false })
    add(answer, { delivered: false, echo: 'never', stored: false }, 4)
  }
  return cases
}

/** The one row of the table that a case is counted in. */
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
