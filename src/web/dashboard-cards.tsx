import { createElement, type ReactNode } from 'react'
import { FirstStepsPlace } from '#web/gateway/first-steps/first-steps-place.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { WeeklyLine } from '#web/reports/weekly-line.tsx'
import { useCan } from '#web/users/users.tsx'

// What other rooms put on the dashboard, for those who may see it. Each has its place from the beginning.

const useFirstSteps = partInPlace(
  async () => (await import('#web/gateway/first-steps/first-steps-card.tsx')).FirstStepsCard,
)
const useWeeklySummary = partInPlace(
  async () => (await import('#web/reports/weekly-summary.tsx')).WeeklySummary,
)

export function DashboardCards(): ReactNode {
  const hasSteps = useCan('manageGateway')
  const hasSummary = useCan('viewReports')
  const steps = useFirstSteps(hasSteps)
  const summary = useWeeklySummary(hasSummary)
  return (
    <>
      {hasSteps && createElement(steps ?? FirstStepsPlace)}
      {hasSummary && createElement(summary ?? WeeklyLine)}
    </>
  )
}
