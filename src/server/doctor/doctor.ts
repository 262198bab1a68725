import { checks, type Examination, type Finding } from '#shared/doctor/doctor.ts'
import { listConfigs } from '#server/gateway/gateway.ts'
import { type DiskSpace, measureDisk } from '#server/notices/notices.ts'
import { appNow } from '#server/platform/clock.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import { found } from './causes.ts'
import { examineClock, examineDatabase, examineDisk, examineFiles, examinePermissions } from './machine.ts'
import { examineNumber, type NumberParts } from './number.ts'
import { examineTls } from './own-tls.ts'

export interface DoctorParts extends NumberParts {
  files: FileStore
  /** Measures the disk of a folder; tests give another one. */
  measure?: ((folder: string) => Promise<DiskSpace>) | undefined
}

/**
 * Examines this machine, and each number from here to WhatsApp and back, numbers side by side. It takes some
 * seconds, up to a minute when a gateway does not answer.
 */
export async function examine(parts: DoctorParts): Promise<Examination> {
  const { database, config, files, measure = measureDisk } = parts
  const numbers = await listConfigs(database)
  const [disk, stored, permissions, tls, data, ...examined] = await Promise.all([
    measure(config.dataDir).then((space) => examineDisk(config, space)),
    examineFiles(files),
    examinePermissions(config),
    examineTls(config, (await appNow(database)).getTime()),
    examineDatabase(database),
    ...numbers.map((number) => examineNumber(parts, number)),
  ])
  const aheadMs = examined.flatMap((one) => one.aheadMs ?? [])
  const clock = await examineClock(database, config, aheadMs)
  const ofNumbers = examined.length === 0 ? [found('gateway_none')] : examined.flatMap((one) => one.findings)
  const ofMachine = [clock, data, disk, stored, permissions, tls]
  const findings = [...ofMachine.toSorted(byCheck), ...ofNumbers]
  return { at: (await appNow(database)).toISOString(), findings }
}

const byCheck = (a: Finding, b: Finding) => checks.indexOf(a.check) - checks.indexOf(b.check)
