import { runCommand } from '#server/cli/run-command.ts'

export const testPassword = 'alface-roxa-na-mesa'

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs an administration command as somebody types it; a password that it asks for is `testPassword`. */
export async function runAdmin(
  args: string[],
  env: NodeJS.ProcessEnv,
  readNewPassword = () => Promise.resolve(testPassword),
): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const code = await runCommand(args, {
    env,
    terminal: {
      print: (line) => void (said.stdout += `${line}\n`),
      warn: (line) => void (said.stderr += `${line}\n`),
      readNewPassword,
    },
    onWork: () => undefined,
    stopRequested: () => false,
  })
  return { code, ...said }
}
