import { connectGateway, ensureConnection } from '../gateway/gateway.ts'
import type { TestApp } from './test-app.ts'

/**
 * Adds another number to an installation: an instance of the simulator that is linked and connected.
 * @returns its id
 */
export async function addNumber(
  { simulator, app, database }: Pick<TestApp, 'simulator' | 'app' | 'database'>,
  instanceName: string,
  pacePerSecond = 1000,
): Promise<number> {
  const answer = await fetch(`${simulator.url}/instance/create`, {
    method: 'POST',
    headers: { apikey: simulator.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ instanceName, integration: 'WHATSAPP-BAILEYS', qrcode: false }),
  })
  if (!answer.ok) throw new Error(`the simulator has not made "${instanceName}": ${answer.status}`)
  simulator.control.scan(instanceName)
  const { apiKey, url: baseUrl } = simulator
  const config = await ensureConnection(database, app.secrets, {
    instanceName,
    baseUrl,
    apiKey,
    pacePerSecond,
  })
  const webhookUrl = `${app.url}/api/webhook/evolution`
  await connectGateway(database, app.gateway.client, app.secrets, config, webhookUrl)
  return config.id
}
