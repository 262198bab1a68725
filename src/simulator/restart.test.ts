import { spawn } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts'
import { type Bench, createCaller, maria, type Receiver, startBench, startReceiver } from './test-receiver.ts'

/**
 * A `kill -9` leaves the journal as it is at that instant: the tests copy it and start another simulator on
 * the copy.
 */

let folder: string
let bench: Bench
let second: Simulator | undefined
let later: Receiver | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  bench = await startBench(
    { journalFile: join(folder, 'journal') },
    { events: ['MESSAGES_UPSERT', 'MESSAGES_UPDATE', 'SEND_MESSAGE'] },
  )
})
afterEach(async () => {
  await second?.close()
  await later?.close()
  await bench.close()
  second = undefined
  later = undefined
  rmSync(folder, { recursive: true })
})

function kill() {
  const copy = join(folder, `copy-${performance.now()}`)
  copyFileSync(join(folder, 'journal'), copy)
  return copy
}
async function revive(journalFile: string, options: Partial<SimulatorOptions> = {}) {
  second = await startSimulator({
    apiKey: 'global-key',
    instanceName: 'loja1',
    seedPhones: [maria],
    journalFile,
    retryBaseMs: 1,
    serverAckMs: 1,
    deliveryAckMs: 2,
    ...options,
  })
  return second
}

describe('after a kill', () => {
  it('a restarted simulator has its phones, chats, faults, token, webhook and oracle', async () => {
    const { control } = bench
    control.createPhone({ id: 'ana', name: 'Ana', autoRead: true })
    control.sendText('maria', 'oi', 'AC1')
    control.send('maria', { kind: 'image', id: 'IMG', base64: 'AAAA', quotedId: 'AC1' })
    control.setFaults({ duplicateWebhook: { on: true, oneIn: 3 } })
    await bench.sendText('olá')
    await bench.receiver.until('messages.update', 2)
    await control.idle()
    const before = control.state()
    const { control: revived } = await revive(kill())
    const { now: _then, counters: oldCounts, ...old } = before
    const { now: _now, counters, ...fresh } = revived.state()
    expect(fresh).toEqual(old)
    expect([counters.written, counters.accepted]).toEqual([oldCounts.written, oldCounts.accepted])
    expect(revived.chat('maria')).toEqual(control.chat('maria'))
    expect(revived.oracle()).toEqual(control.oracle())
    expect(revived.media('IMG')?.base64).toBe('AAAA')
    expect(revived.sendText('maria', 'oi', 'AC1').id).toBe('AC1')
    expect(revived.oracle().written).toHaveLength(2)
  })

  it('a restarted simulator has its release, its calls, and whatever kinds were sent', async () => {
    const { control } = bench
    control.setVersion('2.3.6')
    control.send('maria', {
      kind: 'poll',
      id: 'P1',
      name: 'Hora?',
      options: ['9h', '14h'],
      wrap: 'ephemeral',
    })
    control.voteInPoll('maria', { messageId: 'P1', options: ['14h'] })
    control.pin('maria', { messageId: 'P1', pinned: true })
    control.call('maria', { id: 'C1', outcome: 'ringing' })
    const { control: revived } = await revive(kill())
    expect(revived.version()).toBe('2.3.6')
    expect(revived.chat('maria')).toEqual(control.chat('maria'))
    expect(revived.chat('maria')).toMatchObject([
      { pinned: true, votes: { phone: ['14h'] }, wrap: ['ephemeral'] },
    ])
    expect(revived.call('maria', { id: 'C1', outcome: 'missed' }).outcome).toBe('missed')
  })

  it('a restarted simulator sends again what was not accepted, to where the webhook now points', async () => {
    bench.receiver.answers.push(500, 500, 500)
    const slow = bench.simulator
    await bench.post('webhook/set', {
      webhook: { enabled: true, url: 'http://127.0.0.1:9/dead', events: ['MESSAGES_UPSERT'] },
    })
    slow.control.sendText('maria', 'primeira', 'AC1')
    slow.control.sendText('maria', 'segunda', 'AC2')
    const copy = kill()
    const revived = await revive(copy, { retryBaseMs: 20 })
    later = await startReceiver()
    await createCaller(revived)('POST', '/webhook/set/loja1', {
      webhook: { enabled: true, url: later.url, events: ['MESSAGES_UPSERT'] },
    })
    const found = await later.until('messages.upsert', 2)
    expect(new Set(found.map((one) => (one.body.data['key'] as { id: string }).id))).toEqual(
      new Set(['AC1', 'AC2']),
    )
    await expect
      .poll(() => revived.control.chat('maria').map(({ ack }) => ack))
      .toEqual(['delivered', 'delivered'])
    expect(revived.control.state().counters.pendingWebhooks).toBe(0)
  })

  it('a restarted simulator tells the acknowledgements that were due', async () => {
    const { control } = bench
    control.setFaults({ delayAcks: { on: true, ms: 60_000 } })
    const { body } = await bench.sendText('olá')
    control.open('maria')
    await bench.receiver.until('send.message')
    control.setFaults({ delayAcks: { on: false } })
    await revive(kill())
    const found = await bench.receiver.until('messages.update', 3)
    expect(found.map((one) => [one.body.data['keyId'], one.body.data['status']])).toEqual([
      [body.key.id, 'SERVER_ACK'],
      [body.key.id, 'DELIVERY_ACK'],
      [body.key.id, 'READ'],
    ])
  })

  it('a restarted simulator takes in what was written while the number was disconnected', async () => {
    bench.control.setFaults({ disconnect: { on: true } })
    bench.control.sendText('maria', 'esperando', 'AC1')
    const revived = await revive(kill())
    expect(revived.control.state().gateway.state).toBe('close')
    revived.control.setFaults({ disconnect: { on: false } })
    await bench.receiver.until('messages.upsert')
  })
})

describe('a killed process', () => {
  it('a killed process has kept everything it answered for', async () => {
    const journalFile = join(folder, 'process-journal')
    const options = { apiKey: 'k', instanceName: 'loja1', journalFile, seedPhones: [maria] }
    const module = new URL('simulator.ts', import.meta.url).href
    const code = `
      const { startSimulator } = await import(${JSON.stringify(module)})
      const { url } = await startSimulator(${JSON.stringify(options)})
      console.log(url)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await new Promise<string>((resolve) =>
      child.stdout.once('data', (data: Buffer) => resolve(String(data).trim())),
    )
    const answered: string[] = []
    async function write(index: number) {
      const body = JSON.stringify({ kind: 'text', text: `m${index}`, id: `AC${index}` })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}/_control/phones/maria/messages`, { method: 'POST', body, headers })
      if (answer.status === 201) answered.push(`AC${index}`)
    }
    const writing = (async () => {
      for (let index = 0; ; index += 1) await write(index)
    })().catch(() => undefined)
    try {
      await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(20)
    } finally {
      child.kill('SIGKILL')
    }
    await writing
    const { control } = await revive(journalFile)
    const kept = control.oracle().written.map(({ waId }) => waId)
    expect(kept.slice(0, answered.length)).toEqual(answered)
    expect(kept.length - answered.length).toBeLessThanOrEqual(1)
    expect(control.chat('maria', 100_000).map(({ id }) => id)).toEqual(kept)
  })
})

describe('the journal', () => {
  it('the journal leaves a torn last line out', async () => {
    bench.control.sendText('maria', 'inteira', 'AC1')
    const copy = kill()
    appendFileSync(copy, '[{"t":"message","message":{"waId":"AC2","te')
    const revived = await revive(copy)
    expect(revived.control.chat('maria').map(({ id }) => id)).toEqual(['AC1'])
    revived.control.sendText('maria', 'depois', 'AC3')
    await revived.close()
    const third = await revive(copy)
    expect(third.control.chat('maria').map(({ id }) => id)).toEqual(['AC1', 'AC3'])
  })

  it('the journal refuses to start on a broken line that is not the last', async () => {
    const copy = kill()
    writeFileSync(copy, `nonsense\n${readFileSync(copy, 'utf8')}`)
    await expect(revive(copy)).rejects.toThrow('line 1 is not JSON')
  })

  it('the journal writes a message, its oracle note and its webhook as one line', async () => {
    const lines = () => readFileSync(join(folder, 'journal'), 'utf8').trim().split('\n')
    const before = lines().length
    bench.control.sendText('maria', 'oi')
    const [line, ...rest] = lines().slice(before)
    expect(rest).toEqual([])
    const kinds = JSON.parse(line ?? '').map((change: { t: string }) => change.t)
    expect(kinds).toEqual(['message', 'oracle', 'hook', 'message'])
  })

  it('the journal is shortened at the start', async () => {
    const { control } = bench
    for (let index = 0; index < 50; index += 1) control.setFaults({ lidOnly: { on: index % 2 === 0 } })
    const copy = kill()
    const before = readFileSync(copy, 'utf8').length
    await revive(copy)
    expect(readFileSync(copy, 'utf8').length).toBeLessThan(before / 4)
  })
})
