// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { inApp } from '#web/users/test-app.tsx'
import { PasswordStrength } from './password-strength.tsx'

test.each(['', ' ', '      '])('the strength of %j, which is no new password, is not judged', (password) => {
  const { container } = render(<PasswordStrength password={password} />, {
    wrapper: inApp(new QueryClient()),
  })
  expect(container.querySelector('[role=status]')).toBeNull()
})
