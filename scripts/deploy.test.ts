import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { installedParts, projectFolder, startLine } from './start-line.ts'

// What can be checked of the ways to install without a container engine and without systemd as process 1.

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8')
const { flags, program } = startLine()
const started = [...flags, program]

describe('the image', () => {
  /** The instructions, each on one line. */
  const lines = read('Dockerfile')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
  const of = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim())
  const listOf = (name: string) => JSON.parse(of(name).at(-1) ?? '[]') as string[]

  test('the image copies what is there, and what is sent to the engine', () => {
    const copied = of('COPY')
      .filter((line) => !line.startsWith('--from='))
      .flatMap((line) => line.split(/\s+/).slice(0, -1))
    expect(copied.length).toBeGreaterThan(12)
    const sent = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    for (const path of copied) {
      expect(existsSync(join(projectFolder, path)), path).toBe(true)
      expect(sent).toContain(path === 'scripts/node' ? 'scripts' : path)
    }
    for (const path of sent) expect(copied).toContain(path)
  })

  test('the image does not send what the program does not need, and nothing that it does', () => {
    const left = read('.dockerignore')
      .split('\n')
      .filter((line) => /^[*s]\S/.test(line))
    expect(left).toEqual(['**/*.test.ts', '**/*.test.tsx', 'src/server/testing'])
    for (const file of [program, 'src/server/main.ts'])
      expect(left.some((pattern) => matchesGlob(file, pattern))).toBe(false)
  })

  test('the image is what the boot check starts: the built program, and no sources', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    const targets = last
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
      .filter((word) => !word.startsWith('--'))
      .map((path) => path.replace('/opt/balcao/', ''))
    expect(targets).toEqual(expect.arrayContaining([...installedParts, 'node_modules']))
    expect(targets.filter((path) => path.startsWith('src'))).toEqual([])
  })

  test('the image has Node, and not what installs and builds', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    // Its npm, yarn and headers are 150 MB.
    expect(last[0]).toBe('FROM debian:bookworm-slim')
    expect(last).toContain('COPY --from=build /usr/local/bin/node /usr/local/bin/node')
    expect(last.filter((line) => /^(RUN|CMD|ENTRYPOINT).*\bnpm\b/.test(line))).toEqual([])
    expect(last.some((line) => line.includes('/usr/local/bin/balcao-admin'))).toBe(true)
  })

  test('the image starts as npm start does, under an account of its own with an init', () => {
    expect(listOf('CMD')).toEqual(['node', ...started])
    expect(listOf('ENTRYPOINT')[0]).toBe('tini')
    expect(of('USER')).toEqual(['balcao'])
    expect(of('RUN').some((line) => line.includes('useradd') && line.includes('tini'))).toBe(true)
    expect(of('VOLUME')).toEqual(['/var/lib/balcao'])
    expect(of('ENV').join(' ')).toContain('DATA_DIR=/var/lib/balcao')
    expect(of('HEALTHCHECK').at(-1)).toContain('/healthz')
  })
})

describe('the composition', () => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<
      string,
      {
        environment: Record<string, string>
        volumes: string[]
        tmpfs?: string[]
        env_file?: object[]
        logging?: object
        mem_limit?: string
        pids_limit?: number
        healthcheck?: object
        depends_on?: object
        profiles?: string[]
        networks?: string[]
        ports?: string[]
      }
    >
    volumes: Record<string, null>
  }

  const alone = Object.entries(services).filter(([, { profiles }]) => !profiles)

  test('the composition has the two, and no password', () => {
    expect(alone.map(([name]) => name)).toEqual(['balcao', 'postgres'])
    for (const { environment } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|KEY|TOKEN/.test(name)) expect(value, name).toMatch(/^\$\{[A-Z_]+:[-?+][^}]*\}+$/)
    expect(services['balcao']?.environment['DATABASE_URL']).not.toMatch(/:[^/]*@/)
    expect(services['postgres']?.healthcheck).toBeDefined()
    expect(services['balcao']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
  })

  test('the gateway is there when it is asked for, apart from the database of the program', () => {
    const { evolution, 'evolution-postgres': database } = services
    for (const service of [evolution, database]) {
      expect(service).toMatchObject({ profiles: ['gateway'], networks: ['gateway'] })
      expect(service?.healthcheck).toBeDefined()
      expect(service?.ports).toBeUndefined()
      // A variable that must be there would be asked of those who have a gateway elsewhere, too.
      expect(JSON.stringify(service?.environment)).not.toContain(':?')
    }
    expect(evolution?.depends_on).toEqual({ 'evolution-postgres': { condition: 'service_healthy' } })
    expect(services['balcao']?.networks).toEqual(['default', 'gateway'])
    expect(services['postgres']?.networks).toBeUndefined()
  })

  test('every secret of the composition is made by the commands of its pages', () => {
    const names = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+):/g)].map(([, name = '']) => name)
    for (const path of ['compose.yaml', 'docs/operations.md', 'docs/operacao.md']) {
      const [, made = ''] = /for name in ([A-Z_ ]+)\n/.exec(read(path)) ?? []
      expect([path, ...made.trim().split(' ').toSorted()]).toEqual([path, ...[...new Set(names)].toSorted()])
    }
  })

  test('the program runs on a read-only disk, with bounds, and its log is rotated', () => {
    for (const service of Object.values(services)) {
      expect(service.logging).toEqual({
        driver: 'json-file',
        options: { 'max-size': '10m', 'max-file': '5' },
      })
      expect(service.mem_limit).toMatch(/^\d+[mg]$/)
      expect(service.pids_limit).toBeGreaterThan(99)
    }
    const balcao = services['balcao']
    expect(balcao).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    // What it writes to: DATA_DIR, and what may go with the container.
    const mounted = [...(balcao?.volumes ?? []), ...(balcao?.tmpfs ?? [])].map((line) => line.split(':'))
    expect(mounted.map((parts) => parts.find((part) => part.startsWith('/')))).toEqual([
      '/var/lib/balcao',
      '/tmp',
      '/var/cache/balcao',
    ])
  })

  test('every variable of the README reaches the program, from a file of its own', () => {
    expect(services['balcao']?.env_file).toEqual([{ path: 'balcao.env', required: false, format: 'raw' }])
    // What is set beside it would win over the file, empty or not.
    expect(Object.keys(services['balcao']?.environment ?? {})).toEqual(['DATABASE_URL', 'PGPASSWORD'])
  })

  test('the composition mounts only what exists', () => {
    for (const { volumes: mounted } of Object.values(services))
      for (const [source = ''] of mounted.map((line) => line.split(':')))
        expect(
          source.startsWith('.') ? existsSync(join(projectFolder, source)) : source in volumes,
          source,
        ).toBe(true)
  })

  test('the composition gives the program only variables that it reads', () => {
    const known = read('src/server/platform/config.ts')
    for (const name of Object.keys(services['balcao']?.environment ?? {}))
      expect(name === 'PGPASSWORD' || known.includes(`  ${name}:`), name).toBe(true)
  })
})

const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { version: string; integrity?: string; dev?: boolean; libc?: string[] }>
}
const { optionalDependencies } = JSON.parse(read('scripts/node/package.json')) as {
  optionalDependencies: Record<string, string>
}

test.each(Object.entries(optionalDependencies))(
  'the Node of a checkout is verified by the lock file: %s',
  (name, version) => {
    const locked = packages[`node_modules/${name}`]
    expect(locked).toMatchObject({ version, dev: true })
    expect(locked?.integrity).toMatch(/^sha512-/)
    // It does not run with another C library, and would stand before the Node of that machine. The package
    // does not say so: add the line again when npm has written the entry anew.
    expect(locked?.libc).toEqual(['glibc'])
  },
)

describe('the unit', () => {
  const unit = read('deploy/balcao.service')
  const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

  test('the unit starts as npm start does', () => {
    expect(valueOf('ExecStart')?.split(' ')).toEqual(['/usr/bin/env', 'node', ...started])
    const [first] = valueOf('Environment=PATH')?.split(':') ?? []
    expect(first).toBe(`${valueOf('WorkingDirectory')}/node_modules/.bin`)
    expect(valueOf('KillMode')).toBe('mixed')
  })

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'what the unit may do beyond its task is at most 3.0 of 10',
    () => {
      const { stdout } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--threshold=30', join(projectFolder, 'deploy', 'balcao.service')],
        { encoding: 'utf8' },
      )
      const [, exposure = '10'] = /Overall exposure level for \S+: (\d+\.\d)/.exec(stdout) ?? []
      expect(Number(exposure)).toBeLessThanOrEqual(3)
    },
  )

  test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
    'systemd accepts the unit as valid',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'balcao-unit-'))
      const path = join(folder, 'balcao.service')
      // The program is not installed here.
      writeFileSync(path, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
      rmSync(folder, { recursive: true })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    },
  )
})

describe('the commands with the environment of the service', () => {
  /** Runs `balcao-admin` with a file of variables that has these lines. */
  function run(lines: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'balcao-env-'))
    const file = join(folder, 'balcao.env')
    writeFileSync(file, lines)
    const ended = spawnSync(join(projectFolder, 'deploy', 'balcao-admin'), args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], BALCAO_ENV: file, BALCAO_ACCOUNT: '-', ...env },
    })
    const left = readdirSync(folder)
    rmSync(folder, { recursive: true })
    return { code: ended.status, said: ended.stdout + ended.stderr, left }
  }
  // Nothing listens at port 1.
  const address = 'postgres://balcao:se$creta@127.0.0.1:1/loja?sslmode=disable&application_name=loja&x=;y'

  test('an address with & is read whole, and the command says which database that is', () => {
    const { code, said, left } = run(`DATABASE_URL=${address}\nDATA_DIR=/nowhere\n`, ['list'])
    expect({ code, left }).toEqual({ code: 1, left: ['balcao.env'] })
    expect(said).toMatch(/^Banco de dados: PostgreSQL em 127\.0\.0\.1:1\/loja\n/)
    expect(said).toContain('O PostgreSQL não responde em 127.0.0.1:1')
    expect(said).not.toContain('creta')
  })

  test('what the command is given wins over the file, and without DATA_DIR it is that of the unit', () => {
    expect(run('DATA_DIR=/nowhere\n', ['list'], { DATA_DIR: '/elsewhere' }).said).toContain('em /elsewhere')
    expect(run('', ['list']).said).toContain('Banco de dados: embutido em /var/lib/balcao\n')
  })

  test('a value that Node would cut at # is refused with its line', () => {
    const { code, said } = run('DATA_DIR=/nowhere\n# a comment\nSECRET_KEY=abc#def\n', ['list'])
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringMatching(/balcao\.env, linha 3: ponha entre aspas o valor que tem #\.\n$/),
    })
    expect(run('SECRET_KEY="0b1c#2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f70"\n', ['--version']).code).toBe(0)
  })

  test('the documents send nobody through the shell with a file of variables', () => {
    const documents = ['README.md', 'docs/operations.md', 'docs/operacao.md']
    expect(documents.filter((path) => /\. \/etc\/balcao\.env|source \/etc/.test(read(path)))).toEqual([])
  })
})
