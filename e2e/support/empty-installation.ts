import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Simulator, startSimulator } from '#simulator/simulator.ts'
import { Program } from '../../proof/support/program.ts'

/** The program as after its first start, and a gateway whose number is linked to no phone. */
export interface EmptyInstallation {
  url: string
  admin: { username: string; password: string }
  simulator: Simulator
  /** Ends the gateway for good. */
  stopGateway(): Promise<void>
  close(): Promise<void>
}

/** Starts both; the gateway hurries, so that its codes are seen to change. */
export async function startEmptyInstallation(qrLimit = 30): Promise<EmptyInstallation> {
  const simulator = await startSimulator({
    apiKey: 'chave-da-prova-de-conexao',
    instanceName: 'loja-centro',
    ownerName: 'Empório Aurora',
    ownerNumber: '5511955712210',
    createWaitMs: 300,
    connectWaitMs: 300,
    qrDelayMs: 50,
    qrLifeMs: 4000,
    qrLimit,
  })
  await fetch(`${simulator.url}/instance/logout/${simulator.instanceName}`, {
    method: 'DELETE',
    headers: { apikey: simulator.apiKey },
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-e2e-empty-'))
  chmodSync(dataDir, 0o755)
  const admin = { username: 'marina', password: 'uma-senha-bem-comprida' }
  let stopping: Promise<void> | undefined
  const stopGateway = () => (stopping ??= simulator.close())
  const end = async () => {
    await stopGateway()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const program = await Program.start({
      args: [],
      env: {
        DATA_DIR: dataDir,
        CALLS_PER_MINUTE: '0',
        ADMIN_USERNAME: admin.username,
        ADMIN_EMAIL: 'marina@aurora.example',
        ADMIN_PASSWORD: admin.password,
        GATEWAY_ALLOWED_HOSTS: `127.0.0.1:${simulator.gatewayPort}`,
      },
    })
    return {
      url: program.url,
      admin,
      simulator,
      stopGateway,
      async close() {
        await program.stop()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
