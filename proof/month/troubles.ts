import { setTimeout as sleep } from 'node:timers/promises'
import { type Company, untilQuiet } from './company.ts'

/** What goes wrong on a day, at the gateway and by strangers. */
export async function troubles(company: Company, day: number): Promise<void> {
  const { simulator, program } = company
  const { control } = simulator
  await control.inject({
    event: 'messages.update',
    data: {
      keyId: `NEVER${day}`,
      remoteJid: '5511900000000@s.whatsapp.net',
      fromMe: true,
      status: 'DELIVERY_ACK',
      messageId: `row${day}`,
    },
  })
  const message = {
    key: { remoteJid: '5511900000000@s.whatsapp.net', fromMe: false, id: `OTHER${day}` },
    message: { conversation: 'de outra loja' },
    messageType: 'conversation',
    messageTimestamp: Math.floor(Date.now() / 1000),
  }
  await control.inject({ body: { event: 'messages.upsert', instance: 'outra-loja', data: message } })
  for (let n = 0; n < 3; n++)
    await fetch(`${program.url}/api/webhook/evolution`, {
      method: 'POST',
      headers: { authorization: 'Bearer errado', 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'messages.upsert', instance: 'loja1', data: message }),
    })
  await loseConnection(company, day)
}

/** WhatsApp's connection is away for a moment, or the gateway is restarted. */
async function loseConnection(company: Company, day: number): Promise<void> {
  await untilQuiet(company)
  const { control } = company.simulator
  if (day % 3 === 0) control.restart({ awayMs: 300, connectingMs: 300 })
  else control.setFaults({ disconnect: { on: true, state: 'close' } })
  await sleep(500)
  control.setFaults({ disconnect: { on: false } })
  await sleep(300)
}
