import { describe, expect, it } from 'vitest'
import { type Encoding, encodings } from '#simulator/control-api.ts'
import { encode, encodeKey, isKnownEvent } from './encodings.ts'

const pn = '5511987654321@s.whatsapp.net'
const lid = '182736455463728@lid'
const same = { fromMe: false, id: 'AC1' }

describe('the key of a chat', () => {
  const byLid = { ...same, remoteJid: pn, remoteJidAlt: pn, participant: '', addressingMode: 'lid' }
  const swapped = { ...same, remoteJid: pn, previousRemoteJid: lid, senderPn: pn, senderLid: lid }
  const byLidBeside = { ...same, remoteJid: lid, remoteJidAlt: pn, participant: '', addressingMode: 'lid' }
  const table: [Encoding, object][] = [
    ['1.8', { ...same, remoteJid: pn }],
    ['2.2', { ...same, remoteJid: lid }],
    ['2.3.0', { ...same, remoteJid: lid }],
    ['2.3.1', swapped],
    ['2.3.3', swapped],
    ['2.3.5', byLidBeside],
    ['2.3.6', byLidBeside],
    ['2.3.7', byLid],
    ['2.4', { ...same, remoteJid: pn, remoteJidAlt: lid, participant: '', addressingMode: 'pn' }],
  ]
  it.each(table)('the simulator names a person whom WhatsApp addresses by LID, in %s', (version, key) =>
    expect(encodeKey(byLid, version, lid)).toEqual(key),
  )

  const noPhone = { ...same, remoteJid: lid, participant: '', addressingMode: 'lid' }
  it.each(encodings)('the key of a chat never invents a phone, in %s', (version) => {
    const key = encodeKey(noPhone, version, lid)
    expect(key['remoteJid']).toBe(lid)
    expect(JSON.stringify(key)).not.toContain('@s.whatsapp.net')
  })

  const byPhone = { ...same, remoteJid: pn, remoteJidAlt: lid, participant: '', addressingMode: 'pn' }
  const phoneTable: [Encoding, object][] = [
    ['1.8', { ...same, remoteJid: pn }],
    ['2.2', { ...same, remoteJid: pn }],
    ['2.3.1', { ...same, remoteJid: pn, senderLid: lid }],
    ['2.3.5', byPhone],
    ['2.4', byPhone],
  ]
  it.each(phoneTable)('the simulator names a person addressed by phone, in %s', (version, key) =>
    expect(encodeKey(byPhone, version, lid)).toEqual(key),
  )

  it('the simulator names the author in a group', () => {
    const group = {
      ...same,
      remoteJid: '1203@g.us',
      participant: lid,
      participantAlt: pn,
      addressingMode: 'lid',
    }
    expect(encodeKey(group, '2.3.6', lid)).toEqual(group)
    expect(encodeKey(group, '2.2', lid)).toEqual({ ...same, remoteJid: '1203@g.us', participant: lid })
    expect(encodeKey(group, '1.8', lid)).toEqual({ ...same, remoteJid: '1203@g.us', participant: pn })
  })

  it('the simulator leaves what went through the API as it was sent', () => {
    const key = { remoteJid: lid, fromMe: true, id: '3EB0' }
    for (const version of encodings) expect(encodeKey(key, version, lid)).toEqual(key)
  })
})

describe('numbers and bytes', () => {
  const message = {
    imageMessage: {
      fileLength: { low: 9059, high: 0, unsigned: true },
      at: { low: Date.UTC(2026, 0) | 0, high: Math.floor(Date.UTC(2026, 0) / 2 ** 32), unsigned: false },
      mediaKey: { 0: 75, 1: 255 },
      lists: [{ low: 1, high: 0, unsigned: false }],
      height: 240,
    },
  }
  const strings = {
    fileLength: '9059',
    at: String(Date.UTC(2026, 0)),
    mediaKey: 'S/8=',
    lists: ['1'],
    height: 240,
  }
  const numbers = {
    ...strings,
    fileLength: 9059,
    at: Date.UTC(2026, 0),
    mediaKey: { 0: 75, 1: 255 },
    lists: [1],
  }
  const table: [Encoding, object][] = [
    ['1.8', strings],
    ['2.2', strings],
    ['2.3.0', strings],
    ['2.3.1', strings],
    ['2.3.3', numbers],
    ['2.3.5', numbers],
    ['2.3.6', message.imageMessage],
    ['2.3.7', message.imageMessage],
    ['2.4', message.imageMessage],
  ]
  it.each(table)('the simulator spells them as %s does', (version, imageMessage) => {
    const posted = encode({ event: 'messages.upsert', data: { message } }, version)
    expect(posted?.data).toEqual({ message: { imageMessage } })
  })
})

it.each([
  ['send.message.update', '2.2', false],
  ['status.instance', '2.2', false],
  ['status.instance', '2.3.0', true],
  ['messages.upsert', '1.8', true],
] as const)('the event %s is known to release %s: %s', (event, version, isKnown) =>
  expect(isKnownEvent(event, version)).toBe(isKnown),
)
