// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { type ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { afterEach, expect, test } from 'vitest'
import { inApp } from '#web/users/test-app.tsx'
import { Week } from './week.tsx'

afterEach(cleanup)

const hours = {
  workingHours: { start: '08:00', end: '18:00', days: [1] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
}
const Form = ({ children, more = {} }: { children: ReactNode; more?: object }) => (
  <FormProvider {...useForm({ defaultValues: { ...hours, ...more } })}>{children}</FormProvider>
)

test('inherited hours are text, and have nothing to be pressed', () => {
  const show = (isReadOnly: boolean) =>
    render(
      <Form>
        <Week isReadOnly={isReadOnly} />
      </Form>,
      { wrapper: inApp(new QueryClient()) },
    )
  const { unmount } = show(false)
  expect(screen.getAllByRole('switch')).toHaveLength(7)
  unmount()
  show(true)
  expect(screen.queryByRole('switch')).toBeNull()
  screen.getByText('Segunda')
  screen.getByText('08:00–18:00')
})

test('the days keep their hours beside a wrong exception, and say none of a time half typed', () => {
  const show = (more: object) =>
    render(
      <Form more={more}>
        <Week />
      </Form>,
      { wrapper: inApp(new QueryClient()) },
    )
  const exception = { date: '2026-12-24', hours: null, message: '' }
  const { unmount } = show({ scheduleExceptions: [exception, exception] })
  screen.getByText('08:00–18:00')
  expect(screen.getAllByText('fechado')).toHaveLength(6)
  unmount()
  show({ workingHours: { ...hours.workingHours, end: '18:' } })
  expect(screen.queryByText('fechado')).toBeNull()
})
