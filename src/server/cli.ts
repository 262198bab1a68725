import { readNewPassword } from './cli/password-input.ts'
import { runCommand } from './cli/run-command.ts'
import { armFailpoints } from './platform/failpoints.ts'

// The administration commands as a program: `npm run admin`.

if (process.env['FAILPOINTS']) armFailpoints(process.env['FAILPOINTS'])

let isStopping = false

/** An embedded server that was started for the command must be stopped before the program ends. */
function onSignal(): void {
  if (isStopping) process.exit(130)
  isStopping = true
}

// A reader that closes the pipe early (`| head`) must not stop the program half-way.
process.stdout.on('error', () => undefined)

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  terminal: {
    print: (line) => void process.stdout.write(`${line}\n`),
    warn: (line) => void process.stderr.write(`${line}\n`),
    readNewPassword: () => readNewPassword(process.stdin, process.stderr),
  },
  onWork() {
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  },
  stopRequested: () => isStopping,
})
