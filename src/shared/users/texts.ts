import { always, asked } from '#shared/text/rights/controls.ts'

import { loginTexts } from '#shared/text/text.ts'

/** Why a request is refused: its HTTP status, and what is said. */
export const errors = {
  'auth.required': [401, 'Sessão expirada. Faça login para continuar.'],
  'auth.forbidden': [403, 'Você não tem permissão para realizar esta ação.'],
  'auth.invalid_credentials': [401, loginTexts['auth.invalid_credentials']],
  'auth.blocked': [403, loginTexts['auth.blocked']],
  'auth.blocked_by_person': [403, loginTexts['auth.blocked_by_person']],
  'auth.locked': [423, loginTexts['auth.locked']],
  'auth.too_many_attempts': [429, 'Conta temporariamente bloqueada. Tente novamente mais tarde.'],
  'auth.code_required': [401, 'Digite o código do seu aplicativo de verificação.'],
  'auth.wrong_code': [401, 'Código incorreto ou já usado. Espere o próximo e tente novamente.'],
  'auth.reauthenticate': [403, 'Confirme sua senha para continuar.'],
  'auth.not_confirmed': [422, 'Senha ou código incorreto.'],
  'auth.entry_pending': [403, 'Antes de continuar, conclua o seu acesso.'],
  'auth.blank': [400, loginTexts['auth.blank']],
  'users.not_found': [404, 'Usuário não encontrado.'],
  'users.username_taken': [409, 'Já existe um usuário com este username.'],
  'users.email_taken': [409, 'Já existe um usuário com este email.'],
  'users.self': [403, 'Você não pode bloquear, desativar, excluir nem rebaixar a si mesmo.'],
  'users.last_admin': [409, 'Deve restar pelo menos um administrador ativo.'],
  'invitations.unknown': [404, 'Este link não é de um convite. Confira se ele veio inteiro.'],
  'invitations.expired': [410, 'Este convite expirou. Peça outro a quem convidou você.'],
  'invitations.used': [410, 'Este convite já foi usado. Se foi por você, entre com a sua conta.'],
  'invitations.withdrawn': [410, 'Este convite foi retirado. Fale com quem convidou você.'],
  'invitations.not_found': [404, 'O convite não está mais aberto.'],
  'invitations.too_many': [429, 'Muitas tentativas deste endereço. Espere alguns minutos e tente de novo.'],
  'invitations.too_many_open': [409, 'Há {count} convites abertos. Retire os que não são mais precisos.'],
  'invitations.too_many_sent': [429, 'Muitos convites enviados na última hora. Copie o link, ou espere.'],
  'users.common_password': [422, 'Esta senha é comum e fácil de adivinhar. Escolha outra.'],
  'permissions.exists': [409, 'As permissões desta pessoa já foram personalizadas. Abra de novo e confira.'],
  'permissions.scope_of_role': [
    422,
    'Supervisores e responsáveis veem pelo menos as conversas dos seus setores.',
  ],
  'permissions.of_admin': [409, 'Um administrador tem todas as permissões.'],
  'profile.wrong_password': [422, 'A senha atual não confere.'],
  'profile.same_password': [422, 'Escolha uma senha diferente da atual.'],
  'profile.picture_kind': [422, 'A foto deve ser JPG ou PNG, de no máximo 4096 × 4096 pontos.'],
  'profile.picture_too_large': [413, 'A foto deve ter no máximo 2 MB.'],
  'second_factor.is_on': [409, 'A verificação em duas etapas já está ativa.'],
  'second_factor.is_off': [409, 'A verificação em duas etapas não está ativa.'],
  'second_factor.own': [409, 'Desative a sua própria verificação em Meu perfil, com um código.'],
  'second_factor.is_duty': [409, 'A verificação em duas etapas é obrigatória para o seu perfil.'],
  'sessions.not_found': [404, 'Sessão não encontrada.'],
} as const

/** What its screens offer. */
export const controls = {
  '/users': [
    always('createUser', 'Novo Usuário'),
    asked('inviteUser', 'Convidar'),
    always('editUser', 'Editar'),
    always('editUser', 'Bloquear'),
    always('deleteUser', 'Excluir'),
  ],
  '/permissions': [always('managePermissions', 'Configurar')],
}

/** What its fields are called where the audit log shows a change. */
export const fields = {
  username: 'Username',
  numberIds: 'Números',
  scope: 'Conversas que vê',
  hidesPhones: 'Ocultar telefones',
  revealsPhones: 'Pode mostrar um telefone',
  role: 'Perfil',
  roles: 'Perfis',
}

/** What the calls under a path are about, for the sentence of a refused one. */
export const areas = {
  '/api/auth': 'Entrada',
  '/api/invitations': 'Convites',
  '/api/profile': 'Perfil',
  '/api/profile-pictures': 'Perfil',
  '/api/second-factor-duties': 'Verificação em duas etapas',
  '/api/server-time': 'Hora do servidor',
  '/api/user-permissions': 'Permissões',
  '/api/users': 'Usuários',
}

/** What whoever is invited by WhatsApp reads. */
export const invitationText = ({
  name,
  invitedBy,
  link,
}: {
  /** Whom it is for; may be ''. */
  name: string
  invitedBy: string
  link: string
}): string =>
  `${name === '' ? 'Olá!' : `Olá, ${name}!`} ${invitedBy} convidou você para atender pelo Balcão. ` +
  `Abra o link, escolha seu nome e sua senha, e entre. Ele vale por três dias e uma vez só:\n\n${link}`
