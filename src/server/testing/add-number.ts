import { connectGateway, ensureConnection } from '../gateway/gateway.ts'
import { requestTo, type TestApp } from './test-app.ts'

/**
 * Adds another number to an installation: an instance of the simulator that is linked and connected.
 * @returns its id
 */
export async function addNumber(
  { simulator, app, database }: Pick<TestApp, 'simulator' | 'app' | 'database'>,
  instanceName: string,
  pacePerSecond = 1000,
): Promise<number> {
  const { apiKey, url: baseUrl } = simulator
  const wanted = { instanceName, integration: 'WHATSAPP-BAILEYS', qrcode: false }
  const { status } = await requestTo(baseUrl, 'POST', '/instance/create', wanted, { apikey: apiKey })
  if (status >= 300) throw new Error(`the simulator has not made "${instanceName}": ${status}`)
  simulator.control.scan(instanceName)
  const number = { instanceName, baseUrl, apiKey, pacePerSecond }
  const config = await ensureConnection(database, app.secrets, number)
  const webhookUrl = `${app.url}/api/webhook/evolution`
  await connectGateway(database, app.gateway.client, app.secrets, config, webhookUrl)
  return config.id
}
