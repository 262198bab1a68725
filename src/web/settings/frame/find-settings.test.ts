import { expect, test } from 'vitest'
import { findSettings } from './find-settings.ts'
import { type PlaceId, placeLabels } from './settings-index.ts'

const all = Object.keys(placeLabels) as PlaceId[]
const found = (typed: string, within = all) =>
  findSettings(typed, within).map(({ place, section, label }) => [place, label ?? section])

test.each<[string, [PlaceId, string]]>([
  ['almoco', ['horario', 'Almoço']],
  ['nota', ['mensagens', 'Avaliação']],
  ['feriados', ['horario', 'Exceções']],
  ['desfazer', ['mensagens', 'Desfazer envio']],
  ['qr code', ['evolution', 'Conexão com o celular']],
  ['automaticas lgpd', ['automaticas', 'LGPD']],
])('the search over the settings finds %j first at its place', (typed, first) => {
  expect(found(typed)[0]).toEqual(first)
})

test('the search over the settings puts names before descriptions', () => {
  const labels = found('inatividade').map(([, label]) => label)
  expect(labels.slice(0, 4)).toEqual([
    'Inatividade',
    'Pedir também após inatividade',
    'Inatividade',
    'Encerrar por inatividade',
  ])
  expect(labels).toContain('Aviso antes de encerrar')
})

test('the search over the settings finds nothing where the person sees nothing', () => {
  expect(found('almoco', ['usuario', 'midia'])).toEqual([])
  expect(found('   ')).toEqual([])
  expect(found('xyz')).toEqual([])
})
