import type { Result } from '../support/scenario.ts'
import { sum } from './ask.ts'
import { distribution, reasons, targets, workingDays } from './figures.ts'
import type { Office } from './office.ts'
import { holds, macros, whatClientsWrote, whatTheTeamSaid } from './said.ts'

/**
 * What holds in the evening of a day.
 * @param day 'YYYY-MM-DD'
 */
export async function judgeDay(office: Office, day: string): Promise<Result[]> {
  return [
    await whatClientsWrote(office),
    ...(await whatTheTeamSaid(office)),
    await holds(office),
    await macros(office),
    ...(await reasons(office, day)),
    ...(await targets(office)),
    ...(await workingDays(office, day)),
    await distribution(office),
    { property: 'no call fails', checked: sum(office.answers.values()), faults: office.faults.splice(0) },
  ]
}
