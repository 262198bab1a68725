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
  reasonHead,
  sectorHead,
  tagsHead,
  situation,
} from '#shared/text/reports/report-texts.ts'
import { automaticReasons, isAutomaticEnd, noReason } from '#shared/text/conversations/reason-texts.ts'
import { categoryLabel, unknownContact } from '#shared/text/text.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import { maskFor } from '#server/platform/phones/hidden-phones.ts'
import { type Cell, timeCells } from '#server/platform/http/answers/time-cell.ts'
import type { ToReader } from './filter.ts'
import { operatorPerformance, reportGroups } from './groups.ts'
import { allRows } from './rows.ts'

type Cells = readonly Cell[]

/** Columns that an installation without sectors, reasons or tags of conversations does not have. */
interface FurtherColumns {
  sector: boolean
  reason: boolean
  tags: boolean
}

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
    /** Which further columns the conversations have: their sector, their reason, their tags. */
    with: FurtherColumns
  },
): ReportFile {
  const { filter, order, part, timezone, with: further } = asked
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
    head: [
      ...rowsHead,
      ...(further.sector ? [sectorHead] : []),
      ...(further.reason ? [reasonHead] : []),
      ...(further.tags ? [tagsHead] : []),
    ],
    rows: rowCells(allRows(db, { filter, order, timezone }), { timezone, further, who: filter.who }),
  }
}

/** Why a conversation ended; of an open one nothing. */
function reasonOf({ status, reasonName, endedBy }: ReportRow): string | null {
  if (status !== 'completed') return null
  return reasonName ?? (isAutomaticEnd(endedBy) ? automaticReasons[endedBy] : noReason)
}

const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1000))

async function* rowCells(
  all: AsyncIterable<ReportRow>,
  { timezone, further, who }: { timezone: string; further: FurtherColumns; who: Who },
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
      ...(further.sector ? [row.sectorName] : []),
      ...(further.reason ? [reasonOf(row)] : []),
      ...(further.tags ? [row.tagNames.join(', ')] : []),
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
