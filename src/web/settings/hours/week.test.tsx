// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { type ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { inApp } from '#web/users/test-app.tsx'
import { Week } from './week.tsx'

const hours = {
  workingHours: { start: '08:00', end: '18:00', days: [1] },
  lunchBreak: { enabled: false, start: '12:00', end: '13:00' },
  timezone: 'America/Sao_Paulo',
  scheduleExceptions: [],
}
const Form = ({ children }: { children: ReactNode }) => (
  <FormProvider {...useForm({ defaultValues: hours })}>{children}</FormProvider>
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
