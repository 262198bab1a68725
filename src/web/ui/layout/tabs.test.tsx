// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Tabs } from './tabs.tsx'

test('a tab chosen by the mouse has no ring of the keyboard, until a key is pressed', () => {
  const tabs = [
    { value: 'a', label: 'Uma' },
    { value: 'b', label: 'Outra' },
  ]
  render(
    <Tabs label="Abas" tabs={tabs} value="a">
      <p>painel</p>
    </Tabs>,
  )
  const list = screen.getByRole('tablist')
  const tab = screen.getByRole('tab', { name: 'Outra' })
  expect(tab.className).toContain('group-data-pressed/tabs:outline-none')
  fireEvent.pointerDown(tab)
  expect(list.hasAttribute('data-pressed')).toBe(true)
  fireEvent.keyDown(tab, { key: 'ArrowLeft' })
  expect(list.hasAttribute('data-pressed')).toBe(false)
})
