import { useCan } from '#web/users/users.tsx'
import type { PlaceId } from './settings-index.ts'

export interface Place {
  id: PlaceId
  address: string
}

interface PlaceGroup {
  title: string
  places: readonly Place[]
}

/**
 * What the list of the settings leads the person to. Where both screens have a part, it is that of the
 * advanced settings, for those who may open them.
 */
export function usePlaces(): readonly PlaceGroup[] {
  const canView = useCan('viewSettings')
  const canViewMedia = useCan('viewMediaSettings')
  const isAdvanced = useCan('openAdvancedSettings')
  const canManageGateway = useCan('manageGateway')
  const canManageAssistant = useCan('manageAssistant')
  const canManageCategories = useCan('manageCategories')
  const canManagePauses = useCan('managePauses')
  const canManageReasons = useCan('manageReasons')
  const canManageSla = useCan('manageSla')
  const canManageTags = useCan('manageTags')
  const canViewRequests = useCan('viewPrivacyRequests')
  const basic: (Place | false)[] = [
    { id: 'usuario', address: '/settings?aba=usuario' },
    canView && { id: 'automaticas', address: '/settings?aba=mensagens' },
    !isAdvanced && { id: 'respostas', address: '/settings?aba=respostas' },
    canViewMedia && !isAdvanced && { id: 'midia', address: '/settings?aba=midia' },
    canManageReasons && !isAdvanced && { id: 'motivos', address: '/settings?aba=motivos' },
    canManageTags && !isAdvanced && { id: 'etiquetas', address: '/settings?aba=etiquetas' },
    canManageGateway && !isAdvanced && { id: 'evolution', address: '/settings?aba=gateway' },
  ]
  const advanced: (PlaceId | false)[] = [
    canManageCategories && 'categorias',
    'respostas',
    canManagePauses && 'pausas',
    canManageReasons && 'motivos',
    canManageTags && 'etiquetas',
    canManageSla && 'sla',
    'horario',
    'dia',
    'midia',
    'mensagens',
    'fila',
    'pre-atendimento',
    canManageAssistant && 'ia',
    canManageGateway && 'evolution',
    canViewRequests && 'lgpd',
  ]
  const address = (id: PlaceId) => `/settings-advanced?aba=${id}`
  return [
    { title: 'Configurações', places: basic.filter((place) => place !== false) },
    ...(isAdvanced
      ? [
          {
            title: 'Configurações Avançadas',
            places: advanced.filter((id) => id !== false).map((id) => ({ id, address: address(id) })),
          },
        ]
      : []),
  ]
}
