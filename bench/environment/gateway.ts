import { startSimulator } from '#simulator/simulator.ts'

/**
 * The gateway of a run, in a process of its own: the simulator, without delays, with the phones that replies
 * go to. Started by the bench with PORT, GATEWAY_KEY, GATEWAY_INSTANCE and GATEWAY_PHONES (numbers, separated
 * by commas).
 */
const numbers = (process.env['GATEWAY_PHONES'] ?? '').split(',').filter(Boolean)

await startSimulator({
  port: Number(process.env['PORT']),
  apiKey: process.env['GATEWAY_KEY'] ?? '',
  instanceName: process.env['GATEWAY_INSTANCE'] ?? '',
  seedPhones: numbers.map((number) => ({ name: `Cliente ${number.slice(-4)}`, number })),
})
