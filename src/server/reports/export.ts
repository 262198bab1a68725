import { type Grouping, groupings } from '#shared/reports/figures.ts'
import {
  type ExportedPart,
  type OperatorPerformance,
  reportGroup,
  type ReportGroups,
  reportRow,
  type ReportRow,
  type RowOrder,
  type RowsFilter,
} from '#shared/reports/report-parts.ts'
import type { Spread } from '#shared/reports/reports.ts'
import {
  endedByNames,
  groupName,
  groupingNames,
  groupsHead,
  accountText,
  operatorsHead,
  operatorsTimesHead,
  othersName,
  rowsHead,
  sectorHead,
  situation,
} from '#shared/text/reports/report-texts.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import { type Cell, timeCells } from '#server/platform/http/answers/time-cell.ts'
import type { ToReader } from './filter.ts'
import { operatorPerformance, reportGroups } from './groups.ts'
import { allRows } from './rows.ts'

type Cells = readonly Cell[]

/** A part of a report as the rows of a file. */
export interface ReportFile {
  head: readonly string[]
  rows: AsyncIterable<Cells>
}

export function reportFile(
  db: Db,
  asked: {
    filter: RowsFilter & Required<ToReader>
    order: RowOrder | undefined
    part: ExportedPart
    timezone: string
    /** Whether the conversations have a column with their sector. */
    withSector: boolean
  },
): ReportFile {
  const { filter, order, part, timezone, withSector } = asked
  const by = groupings.find((one) => one === part)
  if (by)
    return {
      head: [groupingNames[by], ...groupsHead],
      rows: groupCells(reportGroups(db, filter, by, timezone), by, filter.who),
    }
  if (part === 'operators')
    return {
      head: [...operatorsHead, ...operatorsTimesHead],
      rows: operatorCells(operatorPerformance(db, filter, timezone)),
    }
  return {
    head: withSector ? [...rowsHead, sectorHead] : rowsHead,
    rows: rowCells(allRows(db, { filter, order, timezone }), { timezone, withSector, who: filter.who }),
  }
}

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000))

async function* rowCells(
  all: AsyncIterable<ReportRow>,
  { timezone, withSector, who }: { timezone: string; withSector: boolean; who: Who },
): AsyncGenerator<Cells> {
  const time = timeCells(timezone)
  const mask = maskFor(who, reportRow)
  for await (const found of all) {
    const row = mask(found)
    yield [
      row.protocol,
      row.contactName || unknownContact,
      row.companyName,
      categoryLabel(row.category),
      row.operatorName,
      time(row.startedAt),
      row.completedAt && time(row.completedAt),
      situation(row),
      row.endedBy && endedByNames[row.endedBy],
      seconds(row.openFirstReplyMs),
      seconds(row.firstReplyMs),
      seconds(row.openQueueMs),
      seconds(row.queueMs),
      seconds(row.openHandlingMs),
      seconds(row.handlingMs),
      row.contactMessageCount,
      row.messageCount - row.contactMessageCount,
      row.satisfaction,
      row.feedback,
      ...(withSector ? [row.sectorName] : []),
    ]
  }
}

async function* operatorCells(found: Promise<OperatorPerformance>): AsyncGenerator<Cells> {
  const { operators, others } = await found
  for (const { name, isActive, ...figures } of operators)
    yield [name, ...countCells(figures), accountText(isActive), ...timesCells(figures)]
  yield [othersName, ...countCells(others), null, ...timesCells(others)]
}

type OperatorFigures = OperatorPerformance['others']
const countCells = ({ total, active, completed, waiting }: OperatorFigures) => [
  total,
  active,
  completed,
  waiting,
]
const timesCells = ({ firstReply, handling, rated }: OperatorFigures) => [
  ...[firstReply, handling].flatMap(({ open, clock }) => [seconds(open.mean), seconds(clock.mean)]),
  rated.count,
  rated.mean,
]

async function* groupCells(found: Promise<ReportGroups>, by: Grouping, who: Who): AsyncGenerator<Cells> {
  const mask = maskFor(who, reportGroup)
  for (const group of (await found).groups.map(mask)) {
    const { firstReply, queue, handling, messages, rated } = group
    yield [
      groupName(group, by),
      group.total,
      group.waitingClient,
      group.waitingOperator,
      group.completed,
      group.byInactivity,
      ...[firstReply, queue, handling].flatMap(({ count, outside, open, clock }) => [
        count,
        outside,
        ...spreadCells(open),
        ...spreadCells(clock),
      ]),
      messages.contact,
      messages.team,
      rated.count,
      rated.mean,
    ]
  }
}

const spreadCells = ({ mean, median, p90 }: Spread) => [seconds(mean), seconds(median), seconds(p90)]
